/**
 * What an audit must say of a generated thread, from its rows before they are text. Easy to get wrong: what the head's
 * lineage does not hold is hidden, whoever made it; and a Send runs its node once each.
 */
import { invariant } from '#analysis/model/bug.ts';
import { copiedId, type Prototype, type ThreadCopy } from './copies.ts';
import { executions, type StoryRow } from './story-row.ts';
import type { PlantedClass, ThreadPlan } from './thread-plan.ts';

/** Node → executions. */
export type Executed = ReadonlyMap<string, number>;

/** The right answers that a thread shares with its prototype. */
export interface ExpectedThread {
  readonly checkpoints: number;
  readonly tree: Executed;
  readonly head: Executed;
  readonly hidden: Executed;
  /** Parent null: two roots. Null: no fork. */
  readonly fork: {
    readonly class: PlantedClass;
    readonly parent: StoryRow | null;
    readonly children: readonly StoryRow[];
  } | null;
  readonly status: 'terminal' | 'interrupted';
  /** Whether two branches minted one (channel, version). */
  readonly sharedBlobs: boolean;
}

/** The answers for one thread. *Cost*: linear in its rows. */
export function expectedThread({ plan, rows }: Prototype): ExpectedThread {
  const byId = new Map(rows.map(({ row }) => [row.id, row]));
  const children = new Map<string | null, StoryRow[]>();
  let head: StoryRow | null = null;
  for (const { row } of rows) {
    children.set(row.parentId, [...(children.get(row.parentId) ?? []), row]);
    if (head === null || row.id > head.id) head = row;
  }
  invariant(head !== null, 'a thread has at least one run');
  const lineage = new Set<string>();
  for (let id: string | null = head.id; id !== null; id = byId.get(id)?.parentId ?? null) lineage.add(id);
  const tree = new Map<string, number>();
  const onHead = new Map<string, number>();
  const hidden = new Map<string, number>();
  for (const { row } of rows) {
    addExecutions(tree, plan, row);
    addExecutions(lineage.has(row.id) ? onHead : hidden, plan, row);
  }
  const forked = [...children].find(([, own]) => own.length > 1);
  return {
    checkpoints: rows.length,
    tree,
    head: onHead,
    hidden,
    fork:
      plan.fork === null || forked === undefined
        ? null
        : {
            class: plan.fork.class,
            parent: forked[0] === null ? null : (byId.get(forked[0]) ?? null),
            children: forked[1],
          },
    status: plan.interrupted ? 'interrupted' : 'terminal',
    sharedBlobs: rows.some(({ dropped }) => dropped.length > 0),
  };
}

/** The planted fork's ids in a copy, children ascending. */
export function expectedFork(
  copy: ThreadCopy,
  { fork }: ExpectedThread,
): { readonly parent: string | null; readonly children: readonly string[] } | null {
  if (fork === null) return null;
  return {
    parent: fork.parent === null ? null : copiedId(copy, fork.parent),
    children: fork.children.map((row) => copiedId(copy, row)).sort(),
  };
}

function addExecutions(counts: Map<string, number>, { graph }: ThreadPlan, { superstep }: StoryRow): void {
  if (superstep === null) return;
  const ran = executions(superstep);
  const name = graph.nodes[superstep.node] ?? '';
  if (ran > 0) counts.set(name, (counts.get(name) ?? 0) + ran);
}
