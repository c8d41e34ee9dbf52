/**
 * Finished tasks that no superstep committed: pending where the row is a leaf and can still be resumed, orphaned
 * where only inputs, updates or copies follow it, because a new input drops what was pending for ever.
 * Source: langgraph-format §6.4.
 */
import type { CheckpointId, NodeName, TaskId } from '#analysis/model/identifiers.ts';
import { childCount, childrenOf, rowAt } from '#analysis/lineage/tree.ts';
import { isSynthetic } from '#analysis/rows/control-channels.ts';
import { consumedInput } from '#analysis/rows/versions-seen.ts';
import type { NamespaceAccount, ThreadAccount } from './account.ts';
import { storedOutcomes } from './stored-outcome.ts';
import type { TaskNames } from './task-names.ts';

/** One finished task without a committed superstep. */
export interface UncommittedTask {
  readonly fate: 'pending' | 'orphaned';
  readonly checkpoint: CheckpointId;
  readonly task: TaskId;
  /** Null when nothing names it. */
  readonly node: NodeName | null;
}

/** Lists them for one namespace. *Cost*: linear in the rows; only rows without a committing child are looked into. */
export function uncommittedTasks(
  thread: ThreadAccount,
  account: NamespaceAccount,
  names: TaskNames,
): UncommittedTask[] {
  const found: UncommittedTask[] = [];
  if (!thread.writes.present) return found;
  for (let at = 0; at < account.tree.rows.length; at++) {
    const isLeaf = childCount(account.tree, at) === 0;
    if (!isLeaf && hasCommittingChild(account, at)) continue;
    const row = rowAt(account.tree, at);
    const finished = new Set<TaskId>();
    for (const [task, outcome] of storedOutcomes(thread.writes.at(row.namespace, row.id))) {
      if (outcome.finished && !isSynthetic(task)) finished.add(task);
    }
    if (finished.size === 0) continue;
    const named = names.name(account, at, finished);
    for (const task of finished) {
      const node = named.get(task) ?? null;
      if (node?.startsWith('__') === true) continue;
      found.push({ fate: isLeaf ? 'pending' : 'orphaned', checkpoint: row.id, task, node });
    }
  }
  return found;
}

function hasCommittingChild(account: NamespaceAccount, at: number): boolean {
  const parent = rowAt(account.tree, at);
  for (const child of childrenOf(account.tree, at)) {
    const kind = account.edges[child]?.kind;
    if (kind === 'superstep' || kind === 'anomalous') return true;
    if (kind === 'compacted' && !consumedInput(parent, rowAt(account.tree, child))) return true;
  }
  return false;
}
