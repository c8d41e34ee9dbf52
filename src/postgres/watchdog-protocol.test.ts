import fc from 'fast-check';
import { expect, test } from 'vitest';
import { seriesSchemaFor } from './series-schema-name.ts';
import {
  decodeFailure,
  decodeInstruction,
  encodeLine,
  type Cleanup,
  type Instruction,
} from './watchdog-protocol.ts';

const identity = fc.record({
  pid: fc.integer({ min: 2, max: 4_194_304 }),
  startTicks: fc.option(fc.nat().map(String)),
});
const text = fc.string({ unit: 'binary', maxLength: 30 });
const cleanup: fc.Arbitrary<Cleanup> = fc.oneof(
  identity.map((process): Cleanup => ({ kind: 'kill-process', process })),
  identity.map((leader): Cleanup => ({ kind: 'kill-group', leader })),
  fc
    .tuple(text, fc.nat())
    .map(([dsn, series]): Cleanup => ({ kind: 'drop-schema', dsn, schema: seriesSchemaFor(String(series)) })),
  fc
    .tuple(identity, text)
    .map(([postmaster, dataFolder]): Cleanup => ({ kind: 'stop-postgres', postmaster, dataFolder })),
  text.map((folder): Cleanup => ({ kind: 'remove-folder', folder })),
);
const instruction: fc.Arbitrary<Instruction> = fc.oneof(
  fc.tuple(fc.nat(), cleanup).map(([id, what]): Instruction => ({ do: 'register', id, cleanup: what })),
  fc.nat().map((id): Instruction => ({ do: 'release', id })),
  fc.constant<Instruction>({ do: 'close' }),
);

test('an instruction arrives as it was sent, on one line (property)', () => {
  fc.assert(
    fc.property(instruction, (sent) => {
      const line = encodeLine(sent);
      expect(line).not.toMatch(/[\r\n]/);
      expect(decodeInstruction(line)).toEqual(sent);
    }),
  );
});

test('an instruction that was cut off anywhere is dropped (property)', () => {
  fc.assert(
    fc.property(instruction, fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }), (sent, where) => {
      const line = encodeLine(sent);
      expect(decodeInstruction(line.slice(0, Math.floor(line.length * where)))).toBeNull();
    }),
  );
});

test.each([-1, 0, 1, 1.5, '7', null])(
  'a process with pid %j is refused, since a signal to it would reach others',
  (pid) => {
    const process = { pid, startTicks: null };
    const line = JSON.stringify({ do: 'register', id: 1, cleanup: { kind: 'kill-process', process } });
    expect(decodeInstruction(line)).toBeNull();
  },
);

test('a schema that this program did not name is refused', () => {
  const drop = { kind: 'drop-schema', dsn: 'postgres://h/d', schema: 'public' };
  expect(decodeInstruction(JSON.stringify({ do: 'register', id: 1, cleanup: drop }))).toBeNull();
});

test('a failure arrives as it was sent, and other lines are none', () => {
  expect(decodeFailure(encodeLine({ because: 'no "route"\nto host' }))).toEqual({
    because: 'no "route"\nto host',
  });
  for (const line of ['', 'null', '[]', '{"because":7}', '(node:1) warning'])
    expect(decodeFailure(line)).toBeNull();
});
