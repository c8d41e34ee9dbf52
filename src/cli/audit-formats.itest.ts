/** `forkscope audit` on one set of rows in every form in which it can be had. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { fixture } from '#src/dump/testing/read-all.ts';
import { checkpointSection, wholeDump } from '#src/dump/testing/small-dump.ts';
import { AuditPlace } from './testing/audit-place.ts';
import { told, type AuditReport } from './testing/audit-report.ts';

let audit: AuditPlace;
beforeAll(async () => {
  audit = await AuditPlace.open();
});
afterAll(async () => {
  await audit.close();
});

describe('the same rows', () => {
  test('give the same report from every format of a dump', async () => {
    const forms = ['sql.gz', 'dump', 'z0.dump.gz', 'tar.gz', 'inserts.sql.gz', 'column-inserts.sql.gz'];
    const names = forms.map((form) => fixture(`race-py.${form}`));
    const [plain, ...others] = await Promise.all(names.map((name) => audit.json(name)));
    expect(plain?.threads).toHaveLength(10);
    for (const report of others) expect(told(report)).toEqual(plain && told(plain));
    expect(others.map(({ source }) => source)).toEqual(
      names.slice(1).map((name) => ({ kind: 'dump', name })),
    );
  });

  test('give the same report from standard input', async () => {
    const path = fixture('race-js.sql.gz');
    const [piped, named] = await Promise.all([
      audit.runOn(path, '-', '--format', 'json', '--all-threads'),
      audit.json(path),
    ]);
    expect(told(JSON.parse(piped.stdout) as AuditReport)).toEqual(told(named));
    expect(piped.code).toBe(1);
  });

  test('give one thread alone what they give it among all', async () => {
    const args = [fixture('zoo-js.sql.gz'), '--effects', audit.logOf('zoo-js')];
    const all = await audit.json(...args);
    const some = all.threads.slice(0, 3);
    const alone = await Promise.all(some.map(({ thread }) => audit.json(...args, '--thread', thread)));
    expect(alone.map(({ threads }) => threads)).toEqual(some.map((thread) => [thread]));
  });

  test('are told line by line as in one piece', async () => {
    const path = fixture('race-js.sql.gz');
    const [{ stdout }, { threads, ...totals }] = await Promise.all([
      audit.run(path, '--format', 'ndjson', '--all-threads'),
      audit.json(path),
    ]);
    const lines = stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as unknown);
    expect(lines).toEqual([...threads, totals]);
  });
});

describe('schemas', () => {
  const dump = (): string =>
    audit.files.write(
      'schemas.sql',
      wholeDump(
        checkpointSection('public.checkpoints', 'same'),
        checkpointSection('agents.checkpoints', 'same'),
      ),
    );

  test('are told apart', async () => {
    const { threads, totals } = await audit.json(dump());
    expect(totals['threads']).toBe(2);
    expect(threads.map(({ schema, thread }) => [schema, thread]).sort()).toEqual([
      ['agents', 'same'],
      ['public', 'same'],
    ]);
    expect((await audit.json(dump(), '--schema', 'agents')).threads.map(({ schema }) => schema)).toEqual([
      'agents',
    ]);
  });

  test('cannot share a log that names no schema', async () => {
    const log = audit.files.write('same.csv', 'thread,node,ts\nsame,plan,1796074626\n');
    const { code, stderr } = await audit.run(dump(), '--effects', log);
    expect(code).toBe(70);
    expect(stderr).toContain('--schema');
    expect((await audit.json(dump(), '--schema', 'agents', '--effects', log)).threads).toHaveLength(1);
  });
});
