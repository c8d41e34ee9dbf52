/**
 * Where a thread stands: what its head would run next, and what the head's stored outcomes say about why it stopped.
 * Errors and interrupts under other rows are history. Where nothing is stored, rows cannot tell a static breakpoint
 * from a crash or from a run that is still at work.
 * Source: langgraph-format §7.2.
 */
import type { NodeName, TaskId } from '#analysis/model/identifiers.ts';
import type { StatusReason, ThreadStatus } from '#analysis/model/report.ts';
import { headOf } from '#analysis/lineage/head.ts';
import { rowAt } from '#analysis/lineage/tree.ts';
import { isSynthetic } from '#analysis/rows/control-channels.ts';
import { dueAt, learnTriggers } from '#analysis/rows/next.ts';
import type { NamespaceAccount, ThreadAccount } from './account.ts';
import { sendsOf } from './sends.ts';
import { storedOutcomes, type StoredOutcome } from './stored-outcome.ts';
import type { TaskNames } from './task-names.ts';

/** A thread's status and what it would run next. */
export interface Standing {
  readonly status: ThreadStatus;
  /** Tasks due at the head that have not finished, by node. */
  readonly next: readonly NodeName[];
  /** Why the status could not be told; null when it could. */
  readonly because: string | null;
  /** What beside the rows decided or kept open where the thread stands; absent: rows alone say it. */
  readonly narrowed?: StatusReason;
}

/** Judges the head of a thread's root namespace. */
export function standingOf(
  thread: ThreadAccount,
  root: NamespaceAccount | undefined,
  names: TaskNames,
): Standing {
  if (root === undefined || root.tree.rows.length === 0) {
    return { status: 'no-rows', next: [], because: null };
  }
  const head = headOf(root.tree);
  const row = rowAt(root.tree, head);
  const sends = sendsOf(row, thread.blobs, thread.writes);
  const due = dueAt(row, sends, learnTriggers(tellingRows(root)), thread.blobs, thread.writes);
  const outcomes = storedOutcomes(thread.writes.at(row.namespace, row.id));
  for (const task of outcomes.keys()) if (isSynthetic(task)) outcomes.delete(task);
  const unfinished = [...outcomes].filter(([, outcome]) => !outcome.finished);
  if (due.nodes.length === 0) {
    if (due.open === null) return { status: 'terminal', next: [], because: null };
    // What failed or was interrupted here was due here, whatever the trigger channels hide.
    const stuck = names.name(root, head, new Set(unfinished.map(([task]) => task)));
    const next = [...stuck.values()].map(({ node }) => node).sort();
    return { status: stopped([...outcomes.values()], unfinished.length), next, because: due.open };
  }
  const next = withoutFinished(root, head, due.nodes, outcomes, names);
  return { status: stopped([...outcomes.values()], due.nodes.length), next, because: due.open };
}

/**
 * Trigger names of the current layout speak for themselves. Others are learned: a row repeats what its whole lineage
 * saw, and in older layouts another branch may have started what this one has not.
 */
function tellingRows(root: NamespaceAccount): NamespaceAccount['tree']['rows'] {
  const newest = root.tree.rows.slice(-1);
  return root.tree.isChain || (newest[0]?.format ?? 1) >= 4 ? newest : root.tree.rows;
}

/** Why the superstep that is due did not happen; `dueTasks` is how many tasks it has. */
function stopped(outcomes: readonly StoredOutcome[], dueTasks: number): ThreadStatus {
  const unfinished = outcomes.filter((outcome) => !outcome.finished);
  if (unfinished.some((outcome) => outcome.interrupted)) return 'interrupted';
  if (unfinished.some((outcome) => outcome.failed && !outcome.aborted)) return 'errored';
  if (unfinished.some((outcome) => outcome.aborted)) return 'cancelled';
  const finished = outcomes.length - unfinished.length;
  return finished > 0 && finished < dueTasks ? 'abandoned' : 'indeterminate';
}

function withoutFinished(
  root: NamespaceAccount,
  head: number,
  due: readonly NodeName[],
  outcomes: ReadonlyMap<TaskId, StoredOutcome>,
  names: TaskNames,
): NodeName[] {
  const finished = new Set([...outcomes].filter(([, outcome]) => outcome.finished).map(([task]) => task));
  if (finished.size === 0) return [...due];
  const done = new Map<NodeName, number>();
  for (const { node } of names.name(root, head, finished).values()) done.set(node, (done.get(node) ?? 0) + 1);
  return due.filter((node) => {
    const left = done.get(node) ?? 0;
    if (left > 0) done.set(node, left - 1);
    return left === 0;
  });
}
