import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { corpusThreads, type CorpusThread } from '#analysis/corpus/corpus.ts';
import { invariant } from '#analysis/model/bug.ts';
import type { ThreadEvidence } from '#analysis/model/evidence.ts';
import type { CheckpointId, NodeName, RunToken, ThreadId } from '#analysis/model/identifiers.ts';
import { parseRule } from '#analysis/invariants/parse-rule.ts';
import type { CountRule } from '#analysis/model/invariant.ts';
import type { Effect } from '#analysis/model/effect.ts';
import { simulate } from '#analysis/simulation/simulate.ts';
import type { RunPlan } from '#analysis/simulation/simulated-run.ts';
import { plain } from '../report/style.ts';
import { showThread, type ShowChoice } from './show-thread.ts';

const choice: ShowChoice = {
  format: 'tree',
  order: 'time',
  expand: false,
  subgraphs: false,
  around: null,
  anonymize: false,
  palette: plain,
  width: 80,
};

function corpus(set: string): readonly CorpusThread[] {
  const packed = readFileSync(new URL(`../../analysis/corpus/${set}.jsonl.gz`, import.meta.url));
  return corpusThreads(gunzipSync(packed).toString('utf8'));
}

function entryOf(set: string, thread: string): CorpusThread {
  const entry = corpus(set).find((one) => one.thread === thread);
  invariant(entry !== undefined, `${set} holds ${thread}`);
  return entry;
}

const raceEvidence = entryOf('race-js', 'race-00').evidence;

async function show(
  evidence: ThreadEvidence,
  changed: Partial<ShowChoice> = {},
  rules: readonly CountRule[] = [],
): Promise<string> {
  const { text } = await showThread(evidence, { rules }, { ...choice, ...changed });
  return `${text}\n`;
}

/** The id so many ticks later. */
function idAfter(id: CheckpointId, ticks: number): CheckpointId {
  const low = (Number.parseInt(id.slice(0, 8), 16) + ticks).toString(16).padStart(8, '0');
  return `${low}${id.slice(8)}` as CheckpointId;
}

/** A record of a log that holds nothing but a name and a time. */
function noted(node: string, wallMs: number): Effect {
  return {
    thread: 'race-00' as ThreadId,
    node: node as NodeName,
    wallMs,
    run: null,
    parent: null,
    task: null,
    namespace: null,
    step: null,
    attempt: null,
    monotonicMs: null,
    worker: null,
    sequence: null,
    businessKey: null,
  };
}

function withLog(evidence: ThreadEvidence, ...effects: readonly Effect[]): ThreadEvidence {
  return { ...evidence, log: { effects, table: null, health: null } };
}

function simulated(
  runs: readonly RunPlan[],
  schedule: readonly number[],
  nodes = ['plan', 'charge'],
): ThreadEvidence {
  return simulate({
    thread: 'booking' as ThreadId,
    nodes: nodes as NodeName[],
    runs,
    schedule,
    minting: 'counted',
  }).evidence;
}

const run = (name: string, begins: RunPlan['begins']): RunPlan => ({
  run: name as RunToken,
  worker: name,
  begins,
  cancelAfter: null,
  zombie: false,
});
const times = (count: number, index: number): number[] => Array.from({ length: count }, () => index);

describe('a drawing', () => {
  test('of a double input shows both branches, the head, and whose values it reads', async () => {
    await expect(await show(raceEvidence)).toMatchFileSnapshot('goldens/double-input.txt');
  });

  test('of the same run as our harness records it names runs and zombies', async () => {
    const { withRuns } = entryOf('race-js', 'race-00');
    await expect(await show(withRuns, { anonymize: true })).toMatchFileSnapshot(
      'goldens/double-input-runs.txt',
    );
  });

  test('of two first inputs branches from the empty thread', async () => {
    const { evidence } = entryOf('race-fresh-js', 'race-fresh-00');
    await expect(await show(evidence)).toMatchFileSnapshot('goldens/two-roots.txt');
  });

  test('of a late worker', async () => {
    const evidence = simulated(
      [run('first', 'input'), run('second', 'resume')],
      [...times(6, 0), ...times(5, 1)],
    );
    await expect(await show(evidence, { anonymize: true })).toMatchFileSnapshot('goldens/late-worker.txt');
  });

  test('of exit durability says at least', async () => {
    const { evidence } = entryOf('race-exit-js', 'race-exit-00');
    await expect(await show(evidence)).toMatchFileSnapshot('goldens/exit-durability.txt');
  });

  test('folds a subgraph into a line, and draws it when asked', async () => {
    const { evidence } = entryOf('zoo-js', 'zoo-subgraph-race');
    await expect(await show(evidence)).toMatchFileSnapshot('goldens/subgraph-folded.txt');
    await expect(await show(evidence, { subgraphs: true })).toMatchFileSnapshot(
      'goldens/subgraph-unfolded.txt',
    );
  });

  test('of a forked row that was pruned branches from a stand-in', async () => {
    const { evidence } = entryOf('zoo-js', 'zoo-pruned-fork');
    await expect(await show(evidence)).toMatchFileSnapshot('goldens/pruned-fork.txt');
  });

  test('of a fork with hundreds of children draws a few and says how many more there are', async () => {
    const { rows } = raceEvidence;
    const root = rows.checkpoints.find(({ parent }) => parent === null);
    const child = rows.checkpoints.find(({ parent }) => parent === root?.id);
    invariant(root !== undefined && child !== undefined, 'a race has a root and a child');
    const checkpoints = [
      root,
      ...Array.from({ length: 300 }, (_, at) => ({ ...child, id: idAfter(child.id, at) })),
    ];
    const text = await show({ ...raceEvidence, log: null, runs: null, rows: { ...rows, checkpoints } });
    const more = /… (\d+) more children/.exec(text)?.[1];
    const drawn = text.split('\n').filter((line) => /^[│├─┼┊ ]*[●○◉][│ ]+\S+ +0 /u.test(line)).length;
    expect(Number(more) + drawn).toBe(300);
    expect(text.split('\n').length).toBeLessThan(80);
  });

  test('branch by branch puts the lines of one branch together', async () => {
    await expect(await show(raceEvidence, { order: 'lineage' })).toMatchFileSnapshot(
      'goldens/lineage-order.txt',
    );
  });

  test('shows every checkpoint of every real thread once, with its subgraphs', async () => {
    for (const set of ['zoo-js', 'zoo-py', 'race-py', 'old-0.2.20-js', 'shallow-py']) {
      for (const { evidence } of corpus(set)) {
        const text = await show(evidence, { expand: true, subgraphs: true, width: 400 });
        const marks = text.split('\n').filter((line) => /^[│├─┼┊ ]*[●○◉][│ ]+\S+ +-?\d+ /u.test(line));
        expect([evidence.rows.thread, marks.length]).toEqual([evidence.rows.thread, rowsDrawn(evidence)]);
      }
    }
  });
});

/** Rows by namespace and id: an export may repeat one. */
function rowsDrawn({ rows }: ThreadEvidence): number {
  return new Set(rows.checkpoints.map(({ namespace, id }) => `${namespace} ${id}`)).size;
}

describe('a log', () => {
  const checkpointTimes = raceEvidence.rows.checkpoints.map(({ timestamp }) => Date.parse(timestamp ?? ''));
  const last = Math.max(...checkpointTimes);

  test('of names and times is drawn on the edges, and the join is called a guess', async () => {
    const text = await show(withLog(raceEvidence, noted('charge', Math.min(...checkpointTimes) + 150)));
    expect(text).toContain('logged: charge');
    expect(text).toContain('1 joined by node and order of time: a guess');
    expect(text.match(/charge {2}logged/g)).toHaveLength(1);
    expect(text.match(/not logged: charge/g)).toHaveLength(2);
  });

  test('that alone knows a thread is named as the only one, in the tree and in the graph', async () => {
    const nothing = { thread: 'lost' as ThreadId, schema: null, checkpoints: [], blobs: [], writes: [] };
    const lost = withLog({ ...raceEvidence, rows: nothing, runs: null }, noted('charge', last));
    for (const format of ['tree', 'dot'] as const) {
      expect(await show(lost, { format })).toContain('known only from the log: no row holds it');
    }
    expect(JSON.parse(await show(lost, { format: 'json' }))).toMatchObject({
      verdict: 'unknown',
      namespaces: [],
      log: { charge: 1 },
    });
  });
});

describe('a window', () => {
  const nodes = ['plan'];
  const long = simulated(
    Array.from({ length: 40 }, (_, at) => run(`r${at}`, 'input')),
    [],
    nodes,
  );
  const ids = long.rows.checkpoints.map(({ id }) => id);

  test('around a checkpoint leaves the rest out and says how much', async () => {
    const text = await show(long, { around: ids[80] ?? '' });
    const lines = text.split('\n');
    expect(lines.filter((line) => line.startsWith('●')).length).toBeLessThanOrEqual(25);
    expect(text).toContain(ids[80]?.slice(0, 8));
    expect(await show(long, { around: ids[80] ?? '', expand: true })).toMatch(
      /⋮ \d+ more lines above[^]*⋮ \d+ more lines below/,
    );
  });

  test('around the beginning of several ids names them', async () => {
    await expect(show(long, { around: ids[0]?.slice(0, 2) ?? '' })).rejects.toThrow(
      /120 checkpoints begin with .*--around.*Give more of the id/,
    );
  });

  test('around an unknown id is refused', async () => {
    await expect(show(long, { around: 'zz' })).rejects.toThrow(/no checkpoint of the thread begins with zz/);
  });
});

describe('what is shared', () => {
  test('holds no name of the evidence, in any format', async () => {
    for (const { evidence } of [...corpus('race-js').slice(0, 2), ...corpus('zoo-js').slice(0, 40)]) {
      const { rows } = evidence;
      const names = [
        ...rows.checkpoints.map(({ id }) => id),
        ...(rows.writes ?? []).map(({ task }) => task),
        ...rows.checkpoints.flatMap(({ versionsSeen }) => [...versionsSeen.keys()]),
      ].filter((name) => !/^__\w+__$/.test(name) && name.length > 4);
      for (const format of ['tree', 'dot', 'json'] as const) {
        const text = await show(evidence, { format, anonymize: true, expand: true, subgraphs: true });
        const words = new Set(text.split(/[^\w-]+/));
        for (const name of names) expect(words.has(name) ? name : null).toBeNull();
        if (rows.thread.length > 8) expect(text.includes(rows.thread)).toBe(false);
      }
    }
  });

  test('holds no name of a rule and of a record that broke it', async () => {
    const rule = parseRule('approve >= charge + 9');
    invariant(rule.kind === 'rule', 'the rule is one');
    const logged = withLog(raceEvidence, noted('charge', 0));
    for (const format of ['tree', 'json'] as const) {
      const text = await show(logged, { format, anonymize: true, expand: true }, [rule.rule]);
      expect(text).toMatch(/N\d+\s+>=\s+N\d+\s+\+\s+9/);
      expect(text).not.toMatch(/approve|charge/);
    }
  });

  test('is drawn as it was: only names differ', async () => {
    const shape = (text: string): string[] =>
      text.split('\n').map((line) => line.replace(/^([│├─┼ ]*[●○◉]?).*/u, '$1'));
    const [named, renamed] = [
      await show(raceEvidence, { width: 400 }),
      await show(raceEvidence, { width: 400, anonymize: true }),
    ];
    expect(shape(renamed).slice(0, 20)).toEqual(shape(named).slice(0, 20));
  });
});

describe('json', () => {
  test('holds the thread of forkscope-audit/1, and a node and an edge for each row', async () => {
    const shown = JSON.parse(await show(raceEvidence, { format: 'json' })) as Record<string, unknown>;
    expect(shown).toMatchObject({ format: 'forkscope-audit/1', thread: 'race-00', verdict: 'invalid' });
    const ids = raceEvidence.rows.checkpoints.map(({ id }) => id).sort();
    expect((shown['nodes'] as { id: string }[]).map(({ id }) => id)).toEqual(ids);
    const edges = shown['edges'] as { parent: string | null; child: string; executed: { node: string }[] }[];
    expect(edges.map(({ child }) => child)).toEqual(ids);
    const parents = new Map(
      raceEvidence.rows.checkpoints.map(({ id, parent }): [string, string | null] => [id, parent]),
    );
    for (const { parent, child } of edges) expect(parents.get(child)).toBe(parent);
    expect(
      edges.flatMap(({ executed }) => executed.map(({ node }) => node)).filter((node) => node === 'charge'),
    ).toHaveLength(3);
  });
});
