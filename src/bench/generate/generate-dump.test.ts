import { createHash } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { analyseThread } from '#analysis/analyse.ts';
import type { ThreadReport } from '#analysis/model/report.ts';
import type { ThreadRows } from '#analysis/model/checkpoint.ts';
import { loadHashes } from '#analysis/serialization/task-ids.ts';
import { idTimeMs } from '#analysis/rows/id-time.ts';
import type { CheckpointId } from '#analysis/model/identifiers.ts';
import { chunked, readAll } from '../../dump/testing/read-all.ts';
import type { DumpSummary } from './dump-summary.ts';
import { Copies } from './copies.ts';
import { expectedFork, expectedThread, type ExpectedThread } from './expected-thread.ts';
import { generateDump } from './generate-dump.ts';
import { dumpOf, type DumpSettings } from './settings.ts';
import { draftPool } from './stored-values.ts';

interface Generated {
  readonly bytes: Buffer;
  readonly summary: DumpSummary;
}

async function generated(settings: DumpSettings): Promise<Generated> {
  const chunks: Buffer[] = [];
  const dump = await generateDump(settings);
  for (;;) {
    const next = dump.next();
    if (next.done === true) return { bytes: Buffer.concat(chunks), summary: next.value };
    chunks.push(next.value);
  }
}

/** Some three hundred threads, more than there are prototypes, a tenth of them forked. */
const few = dumpOf(8000, { forks: 33, seed: 7, variants: 120 });

interface Right extends Omit<ExpectedThread, 'fork'> {
  readonly fork: (ReturnType<typeof expectedFork> & { readonly class: string }) | null;
}

function rightAnswers(settings: DumpSettings): Map<string, Right> {
  const copies = new Copies(settings, draftPool(settings.seed, settings.valueBytes).length);
  const answers = new Map<string, Right>();
  for (let number = 0; number < copies.count; number += 1) {
    const copy = copies.at(number);
    const expected = expectedThread(copy.prototype);
    const ids = expectedFork(copy, expected);
    const fork = ids === null || expected.fork === null ? null : { ...ids, class: expected.fork.class };
    answers.set(copy.thread, { ...expected, fork });
  }
  return answers;
}

const hashes = await loadHashes();

function reportOf(rows: ThreadRows): ThreadReport {
  return analyseThread({ rows, log: null, runs: null }, { rules: [] }, { hashes, explainStarts: null });
}

describe.each(['newest-run', 'all'] as const)(
  'an audit of a generated dump with %s blobs and writes',
  (retention) => {
    let reports: readonly ThreadReport[] = [];
    const expected = rightAnswers({ ...few, retention });

    beforeAll(async () => {
      const { bytes } = await generated({ ...few, retention });
      reports = (await readAll(chunked(bytes))).map(reportOf);
    });

    it('sees every thread and no other', () => {
      expect(reports.map(({ thread }): string => thread).sort()).toEqual([...expected.keys()].sort());
    });

    it('counts exactly what ran: on the tree, on the head’s lineage, hidden', () => {
      for (const { thread, namespaces, status } of reports) {
        const right = expected.get(thread);
        const [root] = namespaces;
        expect(root?.checkpoints, thread).toBe(right?.checkpoints);
        expect(sortedCounts(root?.executions.tree), thread).toEqual(sortedCounts(right?.tree));
        expect(sortedCounts(root?.executions.head), thread).toEqual(sortedCounts(right?.head));
        expect(sortedCounts(root?.hidden), thread).toEqual(sortedCounts(right?.hidden));
        expect([root?.atLeast, root?.atMost], thread).toEqual([[], []]);
        expect(status, thread).toBe(right?.status);
      }
    });

    it('judges every planted fork a race of its class, and finds no other', () => {
      for (const { thread, namespaces } of reports) {
        const right = expected.get(thread)?.fork ?? null;
        const forks = namespaces.flatMap((namespace) => namespace.forks);
        expect(
          forks.map(({ parent, children, class: kind, verdict }) => ({ parent, children, kind, verdict })),
          thread,
        ).toEqual(
          right === null
            ? []
            : [{ parent: right.parent, children: right.children, kind: right.class, verdict: 'race' }],
        );
      }
    });

    it('finds nothing else that is wrong, and leaves nothing undecided', () => {
      for (const { thread, findings, undecided, verdict } of reports) {
        const right = expected.get(thread);
        const wrong = new Set(findings.filter(({ severity }) => severity !== 'info').map(({ kind }) => kind));
        const planted = right?.fork === null ? [] : ['undeclared-fork', 'hidden-execution'];
        if (right?.sharedBlobs === true) planted.push('shared-blob');
        expect([...wrong].sort(), thread).toEqual(planted.sort());
        expect(undecided, thread).toEqual([]);
        expect(verdict, thread).toBe(right?.fork === null ? 'valid' : 'invalid');
      }
    });
  },
);

function sortedCounts(counts: ReadonlyMap<string, number> | undefined): (readonly [string, number])[] {
  return [...(counts ?? [])].sort(([a], [b]) => (a < b ? -1 : 1));
}

describe('a generated dump', () => {
  it('sums its threads up in its summary', async () => {
    const { bytes, summary } = await generated(few);
    const threads = [...rightAnswers(few).values()];
    const sum = (where: 'tree' | 'head' | 'hidden'): Map<string, number> => {
      const counts = new Map<string, number>();
      for (const thread of threads) {
        for (const [node, count] of thread[where]) counts.set(node, (counts.get(node) ?? 0) + count);
      }
      return counts;
    };
    expect(summary.bytes).toBe(bytes.length);
    expect(summary.threads).toBe(threads.length);
    expect(summary.forkedThreads).toBe(few.forks);
    expect(summary.checkpoints).toBe(threads.reduce((all, { checkpoints }) => all + checkpoints, 0));
    expect(Math.abs(summary.checkpoints / few.checkpoints - 1)).toBeLessThan(0.05);
    for (const where of ['tree', 'head', 'hidden'] as const) {
      expect(sortedCounts(summary[where])).toEqual(sortedCounts(sum(where)));
    }
    const rows = await readAll(chunked(bytes));
    expect(rows.reduce((all, { blobs }) => all + (blobs?.length ?? 0), 0)).toBe(summary.blobs);
    expect(rows.reduce((all, { writes }) => all + (writes?.length ?? 0), 0)).toBe(summary.writes);
  });

  it('is the same bytes for the same seed, and others for another', async () => {
    const digest = async (seed: number): Promise<string> =>
      createHash('sha256')
        .update((await generated(dumpOf(500, { seed }))).bytes)
        .digest('hex');
    expect(await digest(1)).toBe(await digest(1));
    expect(await digest(1)).not.toBe(await digest(2));
  });

  it('holds the same rows in every order, and each order is what it says', async () => {
    const lines = async (order: DumpSettings['order']): Promise<string[]> =>
      (await generated(dumpOf(3000, { order }))).bytes.toString('latin1').split('\n');
    const [interleaved, grouped, shuffled] = await Promise.all([
      lines('interleaved'),
      lines('grouped'),
      lines('shuffled'),
    ]);
    expect(grouped.toSorted()).toEqual(interleaved.toSorted());
    expect(shuffled.toSorted()).toEqual(interleaved.toSorted());
    const ids = (text: readonly string[]): string[] =>
      text.filter((line) => line.includes('"versions_seen"')).map((line) => line.split('\t')[2] ?? '');
    const times = ids(interleaved).map((id) => idTimeMs(id as CheckpointId) ?? 0);
    // JS ids keep whole milliseconds.
    expect(times.filter((time, at) => time < (times[at - 1] ?? 0) - 1)).toEqual([]);
    const changes = (text: readonly string[]): number =>
      ids(text).filter((_, at, all) => threadAt(text, at) !== threadAt(text, at + 1) && at + 1 < all.length)
        .length;
    expect(changes(grouped)).toBe(
      new Set(checkpointLines(grouped).map((line) => line.split('\t')[0])).size - 1,
    );
    expect(changes(interleaved)).toBeGreaterThan(1000);
    expect(ids(shuffled)).not.toEqual(ids(grouped));
  });

  it('adds one blob and one write of the size asked for', async () => {
    const { bytes } = await generated(dumpOf(300, { giantBlobBytes: 3_000_001, giantWriteBytes: 2_000_000 }));
    const long = bytes
      .toString('latin1')
      .split('\n')
      .filter((line) => line.length > 1_000_000);
    const values = long.map((line) => line.split('\t').find((field) => field.length > 1_000_000)?.length);
    expect(values).toEqual([3_000_001, 1_999_999]);
    const threads = await readAll(chunked(bytes), { keptValueBytes: 1 << 23 });
    const stored = threads.flatMap(({ blobs, writes }) => [...(blobs ?? []), ...(writes ?? [])]);
    const attachments = stored.filter(({ channel }): boolean => channel === ('attachment' as string));
    expect(attachments.map(({ value }) => value.bytes?.length)).toEqual([1_499_999, 999_998]);
  });
});

/** The thread of the n-th checkpoint line. */
function threadAt(text: readonly string[], at: number): string {
  return checkpointLines(text)[at]?.split('\t')[0] ?? '';
}

const known = new WeakMap<readonly string[], readonly string[]>();

function checkpointLines(text: readonly string[]): readonly string[] {
  const lines = known.get(text) ?? text.filter((line) => line.includes('"versions_seen"'));
  known.set(text, lines);
  return lines;
}
