/** `forkscope show` as a user runs it: what it prints where, and how it exits. */
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Workplace } from './testing/program.ts';

const dump = (name: string): string => fileURLToPath(new URL(`../dump/fixtures/${name}`, import.meta.url));

let place: Workplace;
beforeAll(async () => {
  place = await Workplace.open();
});
afterAll(async () => {
  await place.close();
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

  test('explains itself with two examples and the exit codes', async () => {
    const { code, stdout } = await place.run('show', '--help');
    expect(code).toBe(0);
    expect(stdout.match(/^ {2}forkscope show /gm)?.length).toBe(2);
    expect(stdout).toContain('Exit codes:');
  });
});
