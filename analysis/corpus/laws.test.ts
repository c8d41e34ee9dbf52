/** Laws that hold for any rows, tried on real ones: threads cut at random, renamed, and read beside others. */
import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { CheckpointRow } from '../model/checkpoint.ts';
import type { ThreadEvidence } from '../model/evidence.ts';
import type { NodeName, ThreadId } from '../model/identifiers.ts';
import type { GraphShape } from '../model/invariant.ts';
import type { ThreadReport } from '../model/report.ts';
import { prepareAnalysis } from '../prepare.ts';
import { corpusThreads, type CorpusThread } from './corpus.ts';

const analyse = await prepareAnalysis({ rules: [] });
/** The graph of the sets `race-*`. */
const [plan, charge, notify, finish] = ['plan', 'charge', 'notify', 'finish'] as [
  NodeName,
  NodeName,
  NodeName,
  NodeName,
];
const shape: GraphShape = {
  nodes: [plan, charge, notify, finish],
  edges: [
    { from: null, to: plan },
    { from: plan, to: charge },
    { from: charge, to: notify },
    { from: notify, to: finish },
  ],
  barriers: [],
  unbounded: [],
};
const threads: readonly CorpusThread[] = ['zoo-js', 'zoo-py', 'race-js', 'race-py', 'old-0.2.74-js'].flatMap(
  (set) =>
    corpusThreads(gunzipSync(readFileSync(new URL(`${set}.jsonl.gz`, import.meta.url))).toString('utf8')),
);
const anyThread = fc.constantFrom(...threads.filter(({ evidence }) => evidence.rows.checkpoints.length > 1));

function withRows(evidence: ThreadEvidence, checkpoints: readonly CheckpointRow[]): ThreadEvidence {
  return { ...evidence, rows: { ...evidence.rows, checkpoints } };
}

function forkedParents(report: ThreadReport): readonly string[] {
  return report.namespaces.flatMap(({ namespace, forks }) =>
    forks.map(({ parent }) => JSON.stringify([namespace, parent])),
  );
}

describe('on any rows', () => {
  test('adding a checkpoint never removes a fork, declared or not', async () => {
    await fc.assert(
      fc.asyncProperty(
        anyThread,
        fc.infiniteStream(fc.boolean()),
        fc.nat(),
        async ({ evidence }, keep, pick) => {
          const all = evidence.rows.checkpoints;
          const some = all.filter(() => keep.next().value);
          const missing = all.filter((row) => !some.includes(row));
          fc.pre(missing.length > 0);
          const added = missing[pick % missing.length];
          fc.pre(added !== undefined);
          const before = forkedParents(await analyse(withRows(evidence, some)));
          const after = forkedParents(await analyse(withRows(evidence, [...some, added])));
          expect(after).toEqual(expect.arrayContaining([...before]));
        },
      ),
      { numRuns: 300 },
    );
  });

  test('the name of a thread changes nothing but the name, whatever it is', async () => {
    await fc.assert(
      fc.asyncProperty(
        anyThread,
        fc.string({ unit: 'binary', minLength: 1, maxLength: 60 }),
        async (item, name) => {
          const thread = `renamed ${name}` as ThreadId;
          const { rows, log } = item.evidence;
          const inThread = <Row extends { readonly thread: ThreadId }>(row: Row): Row => ({ ...row, thread });
          const renamed: ThreadEvidence = {
            ...item.evidence,
            rows: {
              ...rows,
              thread,
              checkpoints: rows.checkpoints.map(inThread),
              blobs: rows.blobs?.map(inThread) ?? null,
              writes: rows.writes?.map(inThread) ?? null,
            },
            log: log === null ? null : { ...log, effects: log.effects.map(inThread) },
          };
          const plain = await analyse(item.evidence);
          const told = await analyse(renamed);
          expect(told.thread).toBe(thread);
          expect(shapeOf(told)).toEqual(shapeOf(plain));
        },
      ),
      { numRuns: 200 },
    );
  });

  test('auditing one thread alone says of it exactly what auditing all of them says', async () => {
    for (const { evidence, withRuns } of threads) {
      for (const known of [evidence, withRuns]) {
        const alone = await prepareAnalysis({ rules: [] });
        expect(await alone(known)).toEqual(await analyse(known));
      }
    }
    // With a graph the solver is asked too, and its answers are kept from thread to thread.
    const shared = await prepareAnalysis({ rules: [], shape });
    for (const { evidence } of threads.filter(({ thread }) => thread.startsWith('race'))) {
      const alone = await prepareAnalysis({ rules: [], shape });
      expect(await alone(evidence)).toEqual(await shared(evidence));
    }
  });

  test('auditing all threads in another order says the same of each', async () => {
    const reports = async (order: readonly CorpusThread[]): Promise<ThreadReport[]> => {
      const fresh = await prepareAnalysis({ rules: [], shape });
      const told: ThreadReport[] = [];
      for (const { evidence } of order) told.push(await fresh(evidence));
      return told;
    };
    expect((await reports(threads.toReversed())).toReversed()).toEqual(await reports(threads));
  });

  test('the order of rows, writes, blobs, log records and runs changes nothing', async () => {
    await fc.assert(
      fc.asyncProperty(anyThread, fc.infiniteStream(fc.nat()), async ({ withRuns }, random) => {
        const { rows, log, runs } = withRuns;
        const shuffled = <Item>(items: readonly Item[]): Item[] => {
          const keyed = items.map((item) => [random.next().value, item] as const);
          return keyed.sort(([one], [other]) => one - other).map(([, item]) => item);
        };
        const mixed: ThreadEvidence = {
          rows: {
            ...rows,
            checkpoints: shuffled(rows.checkpoints),
            blobs: rows.blobs === null ? null : shuffled(rows.blobs),
            writes: rows.writes === null ? null : shuffled(rows.writes),
          },
          log: log === null ? null : { ...log, effects: shuffled(log.effects) },
          runs: runs === null ? null : shuffled(runs),
        };
        expect(await analyse(mixed)).toEqual(await analyse(withRuns));
      }),
      { numRuns: 150 },
    );
  });
});

/** Everything said of a thread but its name, which sentences may quote. */
function shapeOf(report: ThreadReport): unknown {
  const { findings, ...rest } = { ...report, thread: null };
  return {
    ...rest,
    findings: findings.map(({ kind, severity, witness, evidence }) => ({
      kind,
      severity,
      witness,
      evidence,
    })),
  };
}
