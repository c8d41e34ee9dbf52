/** Laws that hold for any rows, tried on real ones: threads cut at random, renamed, and read beside others. */
import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { CheckpointRow } from '../model/checkpoint.ts';
import type { ThreadEvidence } from '../model/evidence.ts';
import type { ThreadId } from '../model/identifiers.ts';
import type { ThreadReport } from '../model/report.ts';
import { prepareAnalysis } from '../prepare.ts';
import { corpusThreads, type CorpusThread } from './corpus.ts';

const analyse = await prepareAnalysis({ rules: [] });
const threads: readonly CorpusThread[] = ['zoo-js', 'zoo-py', 'race-js', 'race-py', 'old-0.2.74-js'].flatMap((set) =>
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
      fc.asyncProperty(anyThread, fc.infiniteStream(fc.boolean()), fc.nat(), async ({ evidence }, keep, pick) => {
        const all = evidence.rows.checkpoints;
        const some = all.filter(() => keep.next().value);
        const missing = all.filter((row) => !some.includes(row));
        fc.pre(missing.length > 0);
        const added = missing[pick % missing.length];
        fc.pre(added !== undefined);
        const before = forkedParents(await analyse(withRows(evidence, some)));
        const after = forkedParents(await analyse(withRows(evidence, [...some, added])));
        expect(after).toEqual(expect.arrayContaining([...before]));
      }),
      { numRuns: 300 },
    );
  });

  test('the name of a thread changes nothing but the name, whatever it is', async () => {
    await fc.assert(
      fc.asyncProperty(anyThread, fc.string({ unit: 'binary', minLength: 1, maxLength: 60 }), async (item, name) => {
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
      }),
      { numRuns: 200 },
    );
  });

  test('what was analysed before does not change what is said of a thread', async () => {
    const fresh = await prepareAnalysis({ rules: [] });
    for (const { evidence } of [...threads].reverse().slice(0, 60)) {
      expect(await fresh(evidence)).toEqual(await analyse(evidence));
    }
  });
});

/** Everything said of a thread but its name, which sentences may quote. */
function shapeOf(report: ThreadReport): unknown {
  const { findings, ...rest } = { ...report, thread: null };
  return { ...rest, findings: findings.map(({ kind, severity, witness, evidence }) => ({ kind, severity, witness, evidence })) };
}
