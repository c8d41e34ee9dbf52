import { Writable } from 'node:stream';
import { expect, test } from 'vitest';
import { AuditProgress } from './audit-progress.ts';

/** A terminal that keeps what was written to it, and a clock that is moved by hand. */
function terminal(isTTY: boolean): { stream: NodeJS.WriteStream; clock: { ms: number }; text: () => string } {
  let text = '';
  const sink = new Writable({
    write(chunk: Buffer, _, done) {
      text += chunk.toString();
      done();
    },
  });
  const stream = Object.assign(sink, { isTTY, columns: 100, clearLine: () => true, cursorTo: () => true });
  return { stream: stream as unknown as NodeJS.WriteStream, clock: { ms: 1_000 }, text: () => text };
}

function shown(isTTY: boolean): string {
  const { stream, clock, text } = terminal(isTTY);
  const progress = new AuditProgress(stream, () => clock.ms);
  progress.read(1e6, 0.01);
  clock.ms += 10_000;
  progress.read(2e9, 0.25);
  progress.pause();
  clock.ms += 1_000;
  progress.read(3e9, null);
  clock.ms += 1_000;
  progress.analysed(12);
  progress.end();
  progress.analysed(99);
  return text();
}

test('a terminal is told bytes, rate and time left, then threads', () => {
  const text = shown(true);
  expect(text).toContain('25 % · 2.0 GB read · 200 MB/s · 30 s left');
  expect(text).toContain('\u001b[1G3.0 GB read · 273 MB/s\u001b[0K');
  expect(text).toContain('12 threads analysed');
  expect(text).not.toContain('99');
});

test('the cursor is never hidden, so that an interruption leaves a terminal as it was', () => {
  expect(shown(true)).not.toContain('\u001b[?25l');
  expect(shown(true)).not.toContain('\u001b[?7l');
});

test('nobody else is told anything', () => {
  expect(shown(false)).toBe('');
});
