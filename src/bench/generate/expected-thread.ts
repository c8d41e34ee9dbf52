/**
 * What an audit must say of a generated thread, from its plan and its rows before they are text. Easy to get wrong:
 * what the head's lineage does not hold is hidden, whoever made it; and a Send runs its node once each.
 */
import { invariant } from '#analysis/model/bug.ts';
import type { PlantedClass, ThreadPlan } from './thread-plan.ts';
import { tellThread } from './story.ts';
import { executions, type StoryRow } from './story-row.ts';

/** Node → executions. */
export type Executed = ReadonlyMap<string, number>;

/** A thread's right answers. */
export interface ExpectedThread {
  readonly thread: string;
  readonly checkpoints: number;
  readonly tree: Executed;
  readonly head: Executed;
  readonly hidden: Executed;
  /** Parent null: two roots. Children ascending by id. Null: no fork. */
  readonly fork: {
    readonly class: PlantedClass;
    readonly parent: string | null;
    readonly children: readonly string[];
  } | null;
  readonly status: 'terminal' | 'interrupted';
  /** Whether two branches minted one (channel, version). */
  readonly sharedBlobs: boolean;
}

/** The answers for one thread; the plan must be fresh, for telling draws from its chance. *Cost*: linear in its rows. */
export function expectedThread(plan: ThreadPlan, drafts: number): ExpectedThread {
  const rows = new Map<string, StoryRow>();
  const children = new Map<string | null, string[]>();
  let head: StoryRow | null = null;
  let sharedBlobs = false;
  for (const { row, dropped } of tellThread(plan, drafts)) {
    rows.set(row.id, row);
    children.set(row.parentId, [...(children.get(row.parentId) ?? []), row.id]);
    if (head === null || row.id > head.id) head = row;
    if (dropped.length > 0) sharedBlobs = true;
  }
  invariant(head !== null, 'a thread has at least one run');
  const lineage = new Set<string>();
  for (let id: string | null = head.id; id !== null; id = rows.get(id)?.parentId ?? null) lineage.add(id);
  const counts = {
    tree: new Map<string, number>(),
    head: new Map<string, number>(),
    hidden: new Map<string, number>(),
  };
  for (const row of rows.values()) {
    addExecutions(counts.tree, plan, row);
    addExecutions(lineage.has(row.id) ? counts.head : counts.hidden, plan, row);
  }
  return {
    thread: plan.thread,
    checkpoints: rows.size,
    ...counts,
    fork: plan.fork === null ? null : { class: plan.fork.class, ...forkOf(children) },
    status: plan.interrupted ? 'interrupted' : 'terminal',
    sharedBlobs,
  };
}

/** Adds what ran on the way to a row. */
export function addExecutions(
  counts: Map<string, number>,
  { graph }: ThreadPlan,
  { superstep }: StoryRow,
): void {
  const ran = superstep === null ? 0 : executions(superstep);
  if (superstep === null || ran === 0) return;
  const name = graph.nodes[superstep.node] ?? '';
  counts.set(name, (counts.get(name) ?? 0) + ran);
}

function forkOf(children: ReadonlyMap<string | null, readonly string[]>): {
  readonly parent: string | null;
  readonly children: readonly string[];
} {
  for (const [parent, own] of children) if (own.length > 1) return { parent, children: [...own].sort() };
  return { parent: null, children: [] };
}
