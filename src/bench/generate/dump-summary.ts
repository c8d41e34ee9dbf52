/**
 * What a generated dump holds and what an audit of it must find. Easy to get wrong: blobs that a racing saver dropped
 * are in no table, and rows that a clean-up removed are not counted either.
 */
import type { Prototype, ThreadCopy } from './copies.ts';
import { expectedThread, type Executed, type ExpectedThread } from './expected-thread.ts';
import type { PlantedClass } from './thread-plan.ts';

/** Rows by table. */
export interface RowCounts {
  readonly checkpoints: number;
  readonly blobs: number;
  readonly writes: number;
}

/** The right answers for a whole dump. */
export interface DumpSummary extends RowCounts {
  readonly threads: number;
  readonly interruptedThreads: number;
  readonly forkedThreads: number;
  readonly forksByClass: Readonly<Record<PlantedClass, number>>;
  /** Threads in which two branches minted one (channel, version). */
  readonly sharedBlobThreads: number;
  readonly tree: Executed;
  readonly head: Executed;
  readonly hidden: Executed;
  readonly bytes: number;
}

/** Adds threads up. */
export class SummaryTally {
  private readonly expected = new Map<Prototype, ExpectedThread>();
  private threads = 0;
  private interrupted = 0;
  private shared = 0;
  private readonly forks = { 'two-roots': 0, 'double-input': 0, 'input-during-run': 0 };
  private readonly sums = {
    tree: new Map<string, number>(),
    head: new Map<string, number>(),
    hidden: new Map<string, number>(),
  };

  add({ prototype }: ThreadCopy): void {
    let expected = this.expected.get(prototype);
    if (expected === undefined) this.expected.set(prototype, (expected = expectedThread(prototype)));
    this.threads += 1;
    if (expected.status === 'interrupted') this.interrupted += 1;
    if (expected.sharedBlobs) this.shared += 1;
    if (expected.fork !== null) this.forks[expected.fork.class] += 1;
    for (const where of ['tree', 'head', 'hidden'] as const) {
      const sum = this.sums[where];
      for (const [node, count] of expected[where]) sum.set(node, (sum.get(node) ?? 0) + count);
    }
  }

  summary(rows: RowCounts, bytes: number): DumpSummary {
    const { forks } = this;
    return {
      threads: this.threads,
      ...rows,
      interruptedThreads: this.interrupted,
      forkedThreads: forks['two-roots'] + forks['double-input'] + forks['input-during-run'],
      forksByClass: { ...forks },
      sharedBlobThreads: this.shared,
      ...this.sums,
      bytes,
    };
  }
}

/** The summary as JSON text, Maps as objects with sorted keys, without a final line feed. */
export function summaryJson(summary: DumpSummary): string {
  const plain = (_: string, value: unknown): unknown =>
    value instanceof Map
      ? Object.fromEntries([...(value as Executed)].sort(([a], [b]) => (a < b ? -1 : 1)))
      : value;
  return JSON.stringify(summary, plain, 2);
}
