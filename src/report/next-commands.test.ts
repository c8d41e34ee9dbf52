import { expect, test } from 'vitest';
import type { ThreadReport } from '#analysis/model/report.ts';
import type { AuditedSource } from '../audit/audited-source.ts';
import { nextCommands } from './next-commands.ts';

const thread = (name: string, schema: string | null = null): ThreadReport =>
  ({ thread: name, schema }) as unknown as ThreadReport;
const dump = (name: string): AuditedSource => ({ name: { kind: 'dump', name }, log: null });

test('the worst thread is shown next', () => {
  const text = nextCommands(dump('backup.dump'), [thread('user-42'), thread('user-43')], false);
  expect(text).toContain('  forkscope show backup.dump user-42 ');
  expect(text).toContain('--effects LOG');
  expect(text).toContain('--anonymize');
});

test.each<[string, ThreadReport, string]>([
  ['a name with blanks', thread('user 42'), "show backup.dump 'user 42' "],
  ['a name that looks like an option', thread('--help'), "show backup.dump -- '--help' "],
  ['a name that runs a command', thread('$(reboot)'), "show backup.dump '$(reboot)' "],
  ['a name that moves a terminal', thread('\u001b[2J'), "show backup.dump $'\\u001b[2J' "],
  ['a schema', thread('t', 'agents'), 'show backup.dump t --schema agents '],
])('%s is quoted', (_, worst, command) => {
  expect(nextCommands(dump('backup.dump'), [worst], false)).toContain(command);
});

test('a name that cannot be typed gives way to the next', () => {
  const text = nextCommands(dump('backup.dump'), [thread('\ud800'), thread('t2')], false);
  expect(text).toContain('show backup.dump t2 ');
});

test('what came through a pipe cannot be named again', () => {
  expect(nextCommands(dump('standard input'), [thread('t')], false)).toContain('show FILE t ');
});

test('anonymous output names nothing', () => {
  const text = nextCommands(dump('secret.dump'), [thread('secret-thread')], true);
  expect(text).toContain('show SOURCE THREAD ');
  expect(text).not.toContain('secret');
});

test('without a bad thread there is nothing to type', () => {
  expect(nextCommands(dump('backup.dump'), [], false)).toBeNull();
});
