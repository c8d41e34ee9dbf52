/** `forkscope show` as a user runs it: what it prints where, and how it exits. */
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { LogFolder } from '#src/source/testing/log-files.ts';
import { Workplace } from './testing/program.ts';

const dump = (name: string): string => fileURLToPath(new URL(`../dump/fixtures/${name}`, import.meta.url));

const files = new LogFolder();
let place: Workplace;
beforeAll(async () => {
  place = await Workplace.open();
});
afterAll(async () => {
  await place.close();
  files[Symbol.dispose]();
});

describe('forkscope show', () => {
  test('draws a raced thread on stdout, without colours into a pipe, and exits 1', async () => {
    const { code, stdout, stderr } = await place.run(
      'show',
      dump('race-js.sql.gz'),
      'race-00',
      '--width',
      '80',
    );
    expect(code).toBe(1);
    expect(stderr).toBe('');
    expect(stdout).toMatch(/^thread race-00 {2}invalid {2}terminal\n16 checkpoints {2}1 fork/);
    expect(stdout.match(/^[│├─● ]*[●○◉]/gmu)?.length).toBeGreaterThanOrEqual(16);
    expect(stdout.includes('\u001b')).toBe(false);
    for (const line of stdout.split('\n')) expect(Array.from(line).length).toBeLessThanOrEqual(80);
  });

  test('exits 0 for a valid thread and 2 for one that cannot be judged, unless unknown is ok', async () => {
    const zoo = dump('zoo-js.sql.gz');
    expect((await place.run('show', zoo, 'zoo-loop')).code).toBe(0);
    expect((await place.run('show', zoo, 'zoo-exit-two-turns')).code).toBe(2);
    expect((await place.run('show', zoo, 'zoo-exit-two-turns', '--unknown', 'ok')).code).toBe(0);
  });

  test('draws the effects of a log that was mapped, and says on stderr which log it is', async () => {
    const log = files.write(
      'charges.csv',
      'session,action,at\nrace-00,charge,1796074626\nlost,charge,1796074626\n',
    );
    const mapped = ['--effects', log, '--effects-map', 'thread=session,node=action,time=at'];
    const { code, stdout, stderr } = await place.run('show', dump('race-js.sql.gz'), 'race-00', ...mapped);
    expect(code).toBe(1);
    expect(stderr).toBe(
      `2 records in ${log}, fields as --effects-map says (thread=session, node=action, time=at)\n`,
    );
    expect(stdout.match(/charge {2}logged/g)).toHaveLength(1);
    const lost = await place.run('show', dump('race-js.sql.gz'), 'lost', ...mapped);
    expect(lost.code).toBe(2);
    expect(lost.stdout).toContain('known only from the log: no row holds it');
  });

  test('reads standard input, but not twice', async () => {
    const { ended } = place.start(
      ['show', '-', 'race-00'],
      ['sh', '-c', 'exec "$@" < "$0"', dump('race-js.sql.gz')],
    );
    expect((await ended).stdout).toMatch(/^thread race-00 {2}invalid/);
    const { code, stderr } = await place.run('show', '-', 'race-00', '--effects', '-');
    expect(code).toBe(64);
    expect(stderr).toContain('Only one of source and --effects can be -.');
  });

  test('answers an unknown thread with near ones, as an operator error', async () => {
    const { code, stdout, stderr } = await place.run('show', dump('race-js.sql.gz'), 'race-1');
    expect([code, stdout]).toEqual([70, '']);
    expect(stderr).toMatch(/^forkscope: no row belongs to thread race-1 .*10 threads.*race-01/);
    expect(stderr).not.toContain('    at ');
  });

  test('draws a thread whose id is an escape sequence without sending it to the terminal', async () => {
    const { code, stdout } = await place.run('show', dump('zoo-js.sql.gz'), '\u001b[31mred\u001b[0m');
    expect(code).toBe(0);
    expect(stdout).toContain('thread \\u{1b}[31mred\\u{1b}[0m');
    expect(stdout.includes('\u001b')).toBe(false);
  });

  test('refuses a format and a width that there are not', async () => {
    const format = await place.run('show', dump('race-js.sql.gz'), 'race-00', '--format', 'svg');
    const width = await place.run('show', dump('race-js.sql.gz'), 'race-00', '--width', '10');
    expect([format.code, width.code]).toEqual([64, 64]);
    expect(width.stderr).toContain('--width must be one whole number of at least 40.');
  });

  test('explains itself with three examples and the exit codes', async () => {
    const { code, stdout } = await place.run('show', '--help');
    expect(code).toBe(0);
    expect(stdout.match(/^ {2}forkscope show /gm)?.length).toBe(3);
    expect(stdout).toContain('Exit codes:');
  });
});
