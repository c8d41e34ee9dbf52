/** `forkscope audit` as a user runs it, on dumps of every format, logs of every shape and names of every kind. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { neutralLine } from '#src/dump/neutral-rows.ts';
import { fixture } from '#src/dump/testing/read-all.ts';
import { checkpointSection, wholeDump } from '#src/dump/testing/small-dump.ts';
import { csvText, executedOf, jsonLines, LogFolder, recordsOf } from '#src/source/testing/log-files.ts';
import { Workplace, type Ended } from './testing/program.ts';

interface ThreadJson {
  readonly thread: string;
  readonly schema?: string;
  readonly verdict: string;
  readonly status: string;
  readonly log: Readonly<Record<string, number>> | null;
  readonly unrecorded: Readonly<Record<string, number>>;
  readonly join: Readonly<Record<string, number>> | null;
  readonly namespaces: readonly {
    readonly executions: { readonly tree: Readonly<Record<string, number>> };
  }[];
  readonly findings: readonly {
    readonly kind: string;
    readonly severity: string;
    readonly because: string;
    readonly witness: readonly string[];
    readonly details: Readonly<Record<string, unknown>>;
  }[];
}

interface AuditJson {
  readonly source: { readonly kind: string; readonly name: string };
  readonly verdict: string;
  readonly totals: Readonly<Record<string, unknown>> & {
    readonly findings: Readonly<Record<string, number>>;
  };
  readonly threads: readonly ThreadJson[];
  readonly effects?: {
    readonly file: string;
    readonly mapping: { readonly origin: string };
    readonly records: number;
    readonly join: Readonly<Record<string, number>>;
    readonly notNodes: readonly {
      readonly name: string;
      readonly records: number;
      readonly threads: number;
    }[];
  };
}

const files = new LogFolder();
let place: Workplace;

beforeAll(async () => {
  place = await Workplace.open();
});
afterAll(async () => {
  await place.close();
  files[Symbol.dispose]();
});

async function json(...args: string[]): Promise<AuditJson> {
  const { stdout, stderr } = await place.run('audit', ...args, '--format', 'json', '--all-threads');
  expect(stderr).not.toMatch(/^forkscope/m);
  return JSON.parse(stdout) as AuditJson;
}

/** The same report whatever it was read from: without its source, threads in the order of their ids. */
function told({ effects, ...report }: AuditJson): unknown {
  const threads = report.threads.toSorted((a, b) => (a.thread < b.thread ? -1 : 1));
  return { ...report, source: null, effects: effects && { ...effects, file: null }, threads };
}

function fromStandardInput(path: string, ...args: string[]): Promise<Ended> {
  return place.start(['audit', ...args], ['sh', '-c', 'exec "$@" < "$0"', path]).ended;
}

const logOf = (set: string): string => files.write(`${set}.jsonl`, jsonLines(recordsOf(set)));

/** ISO 8601 with every digit of the fraction, as Python and Postgres write it. */
function isoText(seconds: number): string {
  const [whole = '', fraction = '0'] = String(seconds).split('.');
  return `${new Date(Number(whole) * 1000).toISOString().slice(0, 19)}.${fraction}+00:00`;
}

describe('the same rows', () => {
  test('give the same report from every format of a dump', async () => {
    const expected = told(await json(fixture('race-py.sql.gz')));
    for (const form of ['dump', 'z0.dump.gz', 'tar.gz', 'inserts.sql.gz', 'column-inserts.sql.gz']) {
      const report = await json(fixture(`race-py.${form}`));
      expect(report.source).toEqual({ kind: 'dump', name: fixture(`race-py.${form}`) });
      expect(told(report)).toEqual(expected);
    }
  });

  test('give the same report from standard input', async () => {
    const path = fixture('race-js.sql.gz');
    const piped = await fromStandardInput(path, '-', '--format', 'json', '--all-threads');
    expect(told(JSON.parse(piped.stdout) as AuditJson)).toEqual(told(await json(path)));
    expect(piped.code).toBe(1);
  });

  test('give one thread alone what they give it among all', async () => {
    const args = [fixture('zoo-js.sql.gz'), '--effects', logOf('zoo-js')];
    const all = await json(...args);
    for (const expected of all.threads.slice(0, 3)) {
      expect((await json(...args, '--thread', expected.thread)).threads).toEqual([expected]);
    }
  });

  test('are told line by line as in one piece', async () => {
    const path = fixture('race-js.sql.gz');
    const { stdout } = await place.run('audit', path, '--format', 'ndjson', '--all-threads');
    const lines = stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as unknown);
    const { threads, ...totals } = await json(path);
    expect(lines).toEqual([...threads, totals]);
  });
});

describe('a log', () => {
  test.each(['race-js', 'race-py'])('of %s gives the counts that its maker knows', async (set) => {
    const { threads, effects } = await json(fixture(`${set}.sql.gz`), '--effects', logOf(set));
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
    const expected = await json(rows, '--effects', logOf('zoo-py'));
    const csv = files.write('zoo-py.csv', csvText(recordsOf('zoo-py')));
    expect(told(await json(rows, '--effects', csv))).toEqual(told(expected));
    const renamed = recordsOf('zoo-py').map(({ ts, thread, node, ...rest }) => ({
      ...rest,
      at: isoText(Number(ts)),
      session: thread ?? null,
      action: node ?? null,
    }));
    const map = 'thread=session,node=action,time=at,task=task_id,checkpoint=parent_checkpoint_id';
    const more = 'run=run,taskNamespace=checkpoint_ns,step=step,attempt=attempt,worker=pid';
    const given = await json(
      rows,
      ...['--effects', files.write('renamed.csv', csvText(renamed))],
      ...['--effects-map', map, '--effects-map', more],
    );
    expect(given.effects?.mapping.origin).toBe('given');
    expect(given.threads).toEqual(expected.threads);
  });

  test('without ids is joined by time, and the report calls it a guess', async () => {
    const bare = recordsOf('race-py').map(
      ({ ts, thread, node }) => ({ ts, thread, node }) as Readonly<Record<string, string | number | null>>,
    );
    const args = [fixture('race-py.sql.gz'), '--effects', files.write('bare.jsonl', jsonLines(bare))];
    const { threads, effects } = await json(...args);
    const executed = executedOf('race-py');
    for (const { thread, log, unrecorded } of threads) {
      expect(log).toEqual(executed.get(thread));
      expect(unrecorded).toEqual({});
    }
    expect(effects?.join).toEqual({ exact: 0, task: 0, run: 0, time: 100, none: 0 });
    expect((await place.run('audit', ...args)).stdout).toContain('100 by node and order of time (a guess)');
  });

  test('knows threads that rows do not, and names that are no node', async () => {
    const log = files.write(
      'more.jsonl',
      jsonLines([
        ...recordsOf('race-py'),
        { ts: 1796074626, thread: 'elsewhere', node: 'plan' },
        { ts: 1796074626, thread: 'race-00', node: 'audit note' },
        { ts: 1796074627, thread: 'race-01', node: 'audit note' },
      ]),
    );
    const { threads, effects, totals } = await json(fixture('race-py.sql.gz'), '--effects', log);
    expect(threads.at(-1)).toMatchObject({
      thread: 'elsewhere',
      verdict: 'unknown',
      namespaces: [],
      log: { plan: 1 },
    });
    expect(effects?.notNodes).toEqual([{ name: 'audit note', records: 2, threads: 2 }]);
    for (const { unrecorded } of threads) expect(Object.keys(unrecorded)).not.toContain('audit note');
    expect(totals['nodes']).toMatchObject({ 'audit note': { tree: 0, log: 2, unrecorded: 0 } });
    const { stdout, stderr } = await place.run('audit', fixture('race-py.sql.gz'), '--effects', log);
    expect(stdout).toContain('in the log, but no node of the graph: audit note (2 in 2 threads)');
    expect(stderr).toContain('103 records');
  });

  test('shows business keys that took effect twice', async () => {
    const twice = recordsOf('race-py').map((record) => ({ ...record, booking: record['thread'] ?? null }));
    const log = files.write('booked.csv', csvText(twice));
    const map = 'thread=thread,node=node,time=ts,key=booking,run=run';
    const { totals } = await json(fixture('race-py.sql.gz'), '--effects', log, '--effects-map', map);
    expect(totals.findings['duplicated-effect']).toBe(40);
  });
});

describe('a rule', () => {
  test('that forks break is broken on tree and log, thread by thread', async () => {
    const args = [fixture('race-py.sql.gz'), '--effects', logOf('race-py')];
    const { threads } = await json(...args, '--rule', 'plan>=charge', '--rule', 'n(charge) <= 2');
    for (const { findings } of threads) {
      const broken = findings.filter(({ kind }) => kind === 'count-violation');
      expect(broken.map(({ details }) => [details['rule'], details['where']])).toEqual([
        ['n(charge) <= 2', 'log'],
        ['n(charge) <= 2', 'tree'],
      ]);
    }
  });

  test('that cannot be read is a bad argument, shown with its place', async () => {
    const { code, stdout, stderr } = await place.run(
      'audit',
      fixture('race-py.sql.gz'),
      '--rule',
      'plan>>charge',
    );
    expect({ code, stdout }).toEqual({ code: 64, stdout: '' });
    expect(stderr).toContain('at character 5 of the rule');
    expect(stderr).toContain('a rule compares two sums');
  });
});

describe('names that are hostile', () => {
  const long = 'x'.repeat(60_000);
  const names = [
    '\u001b]0;owned\u0007\u001b[2J',
    '__proto__',
    'constructor',
    'two\nlines\r',
    '\u{202e}back',
    '\u{2028}',
    long,
  ];
  const rows = (): string =>
    files.write(
      'hostile.jsonl',
      names
        .flatMap((name, at) => [
          checkpointLine(name, 'c1', null, {}, -1),
          checkpointLine(name, 'c2', 'c1', { [`${name}${at}`]: { 'branch:to:x': 1 } }, 0),
          checkpointLine(name, 'c3', 'c1', { [`${name}${at}`]: { 'branch:to:x': 1 } }, 0),
        ])
        .join(''),
    );
  const log = (): string =>
    files.write(
      'hostile-log.jsonl',
      jsonLines(names.map((thread, at) => ({ ts: 1796074626, thread, node: `${thread}${at}` }))),
    );

  test('are exact in JSON', async () => {
    const { threads } = await json(rows(), '--effects', log());
    expect(threads.map(({ thread }) => thread)).toEqual(names);
    threads.forEach(({ thread, namespaces, log: logged }, at) => {
      expect(namespaces.map(({ executions }) => Object.entries(executions.tree))).toEqual([
        [[`${thread}${at}`, 2]],
      ]);
      expect(Object.entries(logged ?? {})).toEqual([[`${thread}${at}`, 1]]);
    });
  });

  test('reach the terminal escaped and shortened only', async () => {
    const { stdout, stderr, code } = await place.run('audit', rows(), '--effects', log());
    expect(code).toBe(2);

    expect(stdout + stderr).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e\u2028]/u);
    expect(stdout).toContain('\\u{1b}');
    expect(stdout.length + stderr.length).toBeLessThan(40_000);
  });
});

describe('anonymized', () => {
  test.each(['table', 'json', 'ndjson'])('output as %s holds no name of the source', async (format) => {
    const args = ['--anonymize', '--all-threads', '--rule', 'plan>=charge+1', '--format', format];
    const { stdout, stderr } = await place.run(
      'audit',
      fixture('race-js.sql.gz'),
      '--effects',
      logOf('race-js'),
      ...args,
    );
    const words =
      /race-\d|1f1ed0|\b(?:plan|charge|notify|finish|receipts|steps|first)\b|[0-9a-f]{8}-[0-9a-f]{4}/;
    expect(words.exec(stdout + stderr)).toBeNull();
    // A table breaks the sentence over lines.
    expect(stdout).toMatch(/the[\s│]+rule[\s│]+n1[\s│]+>=[\s│]+n2[\s│]+\+[\s│]+1[\s│]+allows/);
  });

  test('reports count what the plain ones count', async () => {
    const args = [fixture('zoo-js.sql.gz'), '--effects', logOf('zoo-js')];
    const [plain, neutral] = [await json(...args), await json(...args, '--anonymize')];
    const shape = ({ threads, totals, verdict }: AuditJson): unknown => ({
      verdict,
      findings: totals.findings,
      threads: threads.map((thread) => [
        thread.verdict,
        thread.status,
        thread.findings.map(({ kind, severity }) => [kind, severity]),
        thread.namespaces.map(({ executions }) => Object.values(executions.tree).sort()),
      ]),
    });
    expect(shape(neutral)).toEqual(shape(plain));
  });
});

describe('schemas', () => {
  const dump = (): string =>
    files.write(
      'schemas.sql',
      wholeDump(
        checkpointSection('public.checkpoints', 'same'),
        checkpointSection('agents.checkpoints', 'same'),
      ),
    );

  test('are told apart', async () => {
    const { threads, totals } = await json(dump());
    expect(totals['threads']).toBe(2);
    expect(threads.map(({ schema, thread }) => [schema, thread]).sort()).toEqual([
      ['agents', 'same'],
      ['public', 'same'],
    ]);
    expect((await json(dump(), '--schema', 'agents')).threads.map(({ schema }) => schema)).toEqual([
      'agents',
    ]);
  });

  test('cannot share a log that names no schema', async () => {
    const log = files.write('same.csv', 'thread,node,ts\nsame,plan,1796074626\n');
    const { code, stderr } = await place.run('audit', dump(), '--effects', log);
    expect(code).toBe(70);
    expect(stderr).toContain('--schema');
    expect((await json(dump(), '--schema', 'agents', '--effects', log)).threads).toHaveLength(1);
  });
});

describe('exit codes', () => {
  test('0 for a source without an error', async () => {
    const quiet = files.write('quiet.jsonl', checkpointLine('t', 'c1', null, {}, -1));
    expect((await place.run('audit', quiet)).code).toBe(0);
  });

  test('1 for an error, 2 for what cannot be judged, 0 for that when it is allowed', async () => {
    expect((await place.run('audit', fixture('race-py.sql.gz'))).code).toBe(1);
    expect((await place.run('audit', fixture('shallow-py.sql.gz'))).code).toBe(2);
    expect((await place.run('audit', fixture('shallow-py.sql.gz'), '--unknown', 'ok')).code).toBe(0);
  });

  test.each([
    [['audit']],
    [['audit', '']],
    [['audit', '-', '--effects', '-']],
    [['audit', 'x.dump', '--format', 'xml']],
    [['audit', 'x.dump', '--nonsense']],
    [['audit', 'x.dump', '--effects-map', 'thread=a,node=b']],
    [['audit', 'x.dump', '--effects', 'x.csv', '--effects-map', 'thread=a']],
  ])('64 for %j', async (args) => {
    const { code, stdout, stderr } = await place.run(...args);
    expect({ code, stdout }).toEqual({ code: 64, stdout: '' });
    expect(stderr).toContain('Exit codes');
  });

  test.each<[string, () => readonly string[], string]>([
    ['a file that is absent', () => ['/nowhere/x.dump'], 'there is no such file'],
    ['a file that is no dump', () => [files.write('x.txt', 'hello')], 'not a dump'],
    [
      'a thread that is absent',
      () => [fixture('race-py.sql.gz'), '--thread', 'race-99'],
      'know the thread race-99',
    ],
    ['a schema that is absent', () => [fixture('race-py.sql.gz'), '--schema', 'x'], 'no schema x'],
    ['a DSN, without its password', () => ['postgres://u:secret@h/d'], 'postgres://u:***@h/d'],
    [
      'a mapped field that is absent',
      () => [
        fixture('race-py.sql.gz'),
        '--effects',
        logOf('race-py'),
        '--effects-map',
        'thread=thread,node=nod',
      ],
      'no record has the field nod',
    ],
  ])('70 for %s', async (_, args, message) => {
    const { code, stdout, stderr } = await place.run('audit', ...args());
    expect({ code, stdout }).toEqual({ code: 70, stdout: '' });
    expect(stderr).toContain(message);
    expect(stderr).not.toContain('secret');
    expect(stderr).not.toContain('has a bug');
  });
});

function checkpointLine(
  thread: string,
  id: string,
  parent: string | null,
  seen: object,
  step: number,
): string {
  const checkpoint = {
    v: 4,
    id,
    ts: '2026-11-30T21:37:06Z',
    channel_versions: { 'branch:to:x': 1 },
    versions_seen: seen,
  };
  const metadata = { source: step < 0 ? 'input' : 'loop', step, parents: {} };
  return neutralLine({
    table: 'checkpoints',
    thread_id: thread,
    checkpoint_ns: '',
    checkpoint_id: id,
    parent_checkpoint_id: parent,
    checkpoint: JSON.stringify(checkpoint),
    metadata: JSON.stringify(metadata),
  });
}
