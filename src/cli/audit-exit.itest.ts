/** How `forkscope audit` ends: the exit code of each verdict, and what it says when it cannot audit. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { fixture } from '#src/dump/testing/read-all.ts';
import { AuditPlace } from './testing/audit-place.ts';
import { checkpointLine } from './testing/checkpoint-line.ts';

let audit: AuditPlace;
beforeAll(async () => {
  audit = await AuditPlace.open();
});
afterAll(async () => {
  await audit.close();
});

describe('exit codes', () => {
  test('0 for a source without an error', async () => {
    const quiet = audit.files.write('quiet.jsonl', checkpointLine('t', 'c1', null, {}, -1));
    expect((await audit.run(quiet)).code).toBe(0);
  });

  test('1 for an error, 2 for what cannot be judged, 0 for that when it is allowed', async () => {
    const shallow = fixture('shallow-py.sql.gz');
    const ended = await Promise.all([
      audit.run(fixture('race-py.sql.gz')),
      audit.run(shallow),
      audit.run(shallow, '--unknown', 'ok'),
    ]);
    expect(ended.map(({ code }) => code)).toEqual([1, 2, 0]);
  });

  test('a threshold makes the exit code 1 and says by how much, and a filter of the list changes no exit code', async () => {
    const race = fixture('race-py.sql.gz');
    const shallow = fixture('shallow-py.sql.gz');
    const [broken, kept, listed] = await Promise.all([
      audit.run(shallow, '--unknown', 'ok', '--fail-on', 'unknown>2'),
      audit.run(shallow, '--unknown', 'ok', '--fail-on', 'unknown>3'),
      audit.run(race, '--only', 'dangling-parent', '--format', 'json'),
    ]);
    expect([broken.code, kept.code, listed.code]).toEqual([1, 0, 1]);
    expect(broken.stderr).toContain('unknown>2');
    const { threads, totals } = JSON.parse(listed.stdout) as {
      readonly threads: readonly unknown[];
      readonly totals: { readonly threads: number };
    };
    expect(threads).toEqual([]);
    expect(totals.threads).toBeGreaterThan(0);
  });

  test.each([
    [[]],
    [['']],
    [['-', '--effects', '-']],
    [['x.dump', '--format', 'xml']],
    [['x.dump', '--nonsense']],
    [['x.dump', '--effects-map', 'thread=a,node=b']],
    [['x.dump', '--effects', 'x.csv', '--effects-map', 'thread=a']],
  ])('64 for %j', async (args) => {
    const { code, stdout, stderr } = await audit.run(...args);
    expect({ code, stdout }).toEqual({ code: 64, stdout: '' });
    expect(stderr).toContain('Exit codes');
  });

  test.each<[string, () => readonly string[], string]>([
    ['a file that is absent', () => ['/nowhere/x.dump'], 'there is no such file'],
    ['a file that is no dump', () => [audit.files.write('x.txt', 'hello')], 'not a dump'],
    [
      'a thread that is absent',
      () => [fixture('race-py.sql.gz'), '--thread', 'race-99'],
      'know the thread race-99',
    ],
    ['a schema that is absent', () => [fixture('race-py.sql.gz'), '--schema', 'x'], 'no schema x'],
    [
      'a server that is absent, without the password',
      () => ['postgres://u:secret@127.0.0.1:1/d'],
      '127.0.0.1:1',
    ],
    [
      'a mapped field that is absent',
      () => [
        fixture('race-py.sql.gz'),
        '--effects',
        audit.logOf('race-py'),
        '--effects-map',
        'thread=thread,node=nod',
      ],
      'no record has the field nod',
    ],
  ])('70 for %s', async (_, args, message) => {
    const { code, stdout, stderr } = await audit.run(...args());
    expect({ code, stdout }).toEqual({ code: 70, stdout: '' });
    expect(stderr).toContain(message);
    expect(stderr).not.toContain('secret');
    expect(stderr).not.toContain('has a bug');
  });
});
