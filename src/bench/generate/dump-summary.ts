/**
 * What a generated dump holds and what an audit of it must find. Easy to get wrong: blobs that a racing saver dropped
 * are in no table, and rows that a clean-up removed are not counted either.
 */
import { addExecutions, expectedThread, type Executed } from './expected-thread.ts';
import type { Told } from './story.ts';
import { planThread, type DumpPlan, type PlantedClass, type ThreadPlan } from './thread-plan.ts';

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

/** Adds threads up, row by row. */
export class SummaryTally {
  private readonly dump: DumpPlan;
  private readonly drafts: number;
  private interrupted = 0;
  private shared = 0;
  private readonly forks = { 'two-roots': 0, 'double-input': 0, 'input-during-run': 0 };
  private readonly tree = new Map<string, number>();
  private readonly hidden = new Map<string, number>();

  constructor(dump: DumpPlan, drafts: number) {
    this.dump = dump;
    this.drafts = drafts;
  }

  add(plan: ThreadPlan, { row, isLast }: Told): void {
    addExecutions(this.tree, plan, row);
    if (!isLast) return;
    if (plan.interrupted) this.interrupted += 1;
    if (plan.fork === null) return;
    // Only forked threads hide anything, and they are few enough to be told once more.
    const expected = expectedThread(planThread(this.dump, plan.number), this.drafts);
    this.forks[plan.fork.class] += 1;
    if (expected.sharedBlobs) this.shared += 1;
    for (const [node, count] of expected.hidden) this.hidden.set(node, (this.hidden.get(node) ?? 0) + count);
  }

  summary(rows: RowCounts, bytes: number): DumpSummary {
    const { forks, tree, hidden } = this;
    const head = new Map([...tree].map(([node, count]) => [node, count - (hidden.get(node) ?? 0)]));
    return {
      threads: this.dump.threads,
      ...rows,
      interruptedThreads: this.interrupted,
      forkedThreads: forks['two-roots'] + forks['double-input'] + forks['input-during-run'],
      forksByClass: { ...forks },
      sharedBlobThreads: this.shared,
      tree,
      head,
      hidden,
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
