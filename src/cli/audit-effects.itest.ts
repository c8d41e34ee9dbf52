/** `forkscope audit` with effect logs of every shape and rules of the operator's own. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { fixture } from '#src/dump/testing/read-all.ts';
import { csvText, executedOf, jsonLines, recordsOf } from '#src/source/testing/log-files.ts';
import { AuditPlace } from './testing/audit-place.ts';
import { told } from './testing/audit-report.ts';

let audit: AuditPlace;
beforeAll(async () => {
  audit = await AuditPlace.open();
});
afterAll(async () => {
  await audit.close();
});

describe('a log', () => {
  test.each(['race-js', 'race-py'])('of %s gives the counts that its maker knows', async (set) => {
    const { threads, effects } = await audit.json(fixture(`${set}.sql.gz`), '--effects', audit.logOf(set));
    const executed = executedOf(set);
    expect(threads).toHaveLength(10);
    for (const { thread, log } of threads) expect(log).toEqual(executed.get(thread));
    expect(effects).toMatchObject({
      mapping: { origin: 'langgraph' },
      join: { exact: 0, task: 100, time: 0 },
    });
  });

  test('as CSV, and under other names, gives the same report', async () => {
    const rows = fixture('zoo-py.sql.gz');
    const csv = audit.files.write('zoo-py.csv', csvText(recordsOf('zoo-py')));
    const renamed = recordsOf('zoo-py').map(({ ts, thread, node, ...rest }) => ({
      ...rest,
      at: isoText(Number(ts)),
      session: thread ?? null,
      action: node ?? null,
    }));
    const map = 'thread=session,node=action,time=at,task=task_id,checkpoint=parent_checkpoint_id';
    const more = 'run=run,taskNamespace=checkpoint_ns,step=step,attempt=attempt,worker=pid';
    const foreign = audit.files.write('renamed.csv', csvText(renamed));
    const [expected, asCsv, given] = await Promise.all([
      audit.json(rows, '--effects', audit.logOf('zoo-py')),
      audit.json(rows, '--effects', csv),
      audit.json(rows, '--effects', foreign, '--effects-map', map, '--effects-map', more),
    ]);
    expect(told(asCsv)).toEqual(told(expected));
    expect(given.effects?.mapping.origin).toBe('given');
    expect(given.threads).toEqual(expected.threads);
  });

  test('without ids is joined by time, and the report calls it a guess', async () => {
    const bare = recordsOf('race-py').map(
      ({ ts, thread, node }) => ({ ts, thread, node }) as Readonly<Record<string, string | number | null>>,
    );
    const args = [fixture('race-py.sql.gz'), '--effects', audit.files.write('bare.jsonl', jsonLines(bare))];
    const [{ threads, effects }, { stdout }] = await Promise.all([audit.json(...args), audit.run(...args)]);
    const executed = executedOf('race-py');
    for (const { thread, log, unrecorded } of threads) {
      expect(log).toEqual(executed.get(thread));
      expect(unrecorded).toEqual({});
    }
    expect(effects?.join).toEqual({ exact: 0, task: 0, run: 0, time: 100, none: 0 });
    expect(stdout).toContain('100 by node and order of time (a guess)');
  });

  test('knows threads that rows do not, and names that are no node', async () => {
    const log = audit.files.write(
      'more.jsonl',
      jsonLines([
        ...recordsOf('race-py'),
        { ts: 1796074626, thread: 'elsewhere', node: 'plan' },
        { ts: 1796074626, thread: 'race-00', node: 'audit note' },
        { ts: 1796074627, thread: 'race-01', node: 'audit note' },
      ]),
    );
    const args = [fixture('race-py.sql.gz'), '--effects', log];
    const [{ threads, effects, totals }, { stdout, stderr }] = await Promise.all([
      audit.json(...args),
      audit.run(...args),
    ]);
    expect(threads.at(-1)).toMatchObject({
      thread: 'elsewhere',
      verdict: 'unknown',
      namespaces: [],
      log: { plan: 1 },
    });
    expect(effects?.notNodes).toEqual([{ name: 'audit note', records: 2, threads: 2 }]);
    for (const { unrecorded } of threads) expect(Object.keys(unrecorded)).not.toContain('audit note');
    expect(totals['nodes']).toMatchObject({ 'audit note': { tree: 0, log: 2, unrecorded: 0 } });
    expect(stdout).toContain('in the log, but no node of the graph: audit note (2 in 2 threads)');
    expect(stderr).toContain('103 records');
  });

  test('shows business keys that took effect twice', async () => {
    const twice = recordsOf('race-py').map((record) => ({ ...record, booking: record['thread'] ?? null }));
    const log = audit.files.write('booked.csv', csvText(twice));
    const map = 'thread=thread,node=node,time=ts,key=booking,run=run';
    const { totals } = await audit.json(fixture('race-py.sql.gz'), '--effects', log, '--effects-map', map);
    expect(totals.findings['duplicated-effect']).toBe(40);
  });
});

describe('a rule', () => {
  test('that forks break is broken on tree and log, thread by thread', async () => {
    const args = [fixture('race-py.sql.gz'), '--effects', audit.logOf('race-py')];
    const { threads } = await audit.json(...args, '--rule', 'plan>=charge', '--rule', 'n(charge) <= 2');
    for (const { findings } of threads) {
      const broken = findings.filter(({ kind }) => kind === 'count-violation');
      expect(broken.map(({ details }) => [details['rule'], details['where']])).toEqual([
        ['n(charge) <= 2', 'log'],
        ['n(charge) <= 2', 'tree'],
      ]);
    }
  });

  test('that cannot be read is a bad argument, shown with its place', async () => {
    const { code, stdout, stderr } = await audit.run(fixture('race-py.sql.gz'), '--rule', 'plan>>charge');
    expect({ code, stdout }).toEqual({ code: 64, stdout: '' });
    expect(stderr).toContain('at character 5 of the rule');
    expect(stderr).toContain('a rule compares two sums');
  });
});

/** ISO 8601 with every digit of the fraction, as Python and Postgres write it. */
function isoText(seconds: number): string {
  const [whole = '', fraction = '0'] = String(seconds).split('.');
  return `${new Date(Number(whole) * 1000).toISOString().slice(0, 19)}.${fraction}+00:00`;
}
