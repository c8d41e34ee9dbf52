/**
 * Finished tasks that no superstep committed: pending where the row is a leaf and can still be resumed, orphaned
 * where only inputs, updates or copies follow it, because a new input drops what was pending for ever.
 * Source: langgraph-format §6.4.
 */
import type { CheckpointRow } from '#analysis/model/checkpoint.ts';
import type { CheckpointId, NodeName, TaskId } from '#analysis/model/identifiers.ts';
import { headOf } from '#analysis/lineage/head.ts';
import { childCount, childrenOf, rowAt } from '#analysis/lineage/tree.ts';
import { isSynthetic } from '#analysis/rows/control-channels.ts';
import { consumedInput, pseudoNodes } from '#analysis/rows/versions-seen.ts';
import type { NamespaceAccount, ThreadAccount } from './account.ts';
import { storedOutcomes } from './stored-outcome.ts';
import type { NamedTask, TaskNames } from './task-names.ts';

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
    // Where rows were pruned, the child that committed may be the one that is gone.
    if (isLeaf && account.tree.orphans.length > 0 && at !== headOf(account.tree)) continue;
    const row = rowAt(account.tree, at);
    const finished = new Set<TaskId>();
    for (const [task, outcome] of storedOutcomes(thread.writes.at(row.namespace, row.id))) {
      if (outcome.finished && !isSynthetic(task)) finished.add(task);
    }
    if (finished.size === 0) continue;
    const named = names.name(account, at, finished);
    const updated = hasUpdateChild(account, at);
    for (const task of finished) {
      if (updated && isUpdateWrite(thread, row, task, named)) continue;
      const node = named.get(task)?.node ?? null;
      // What maps an input to state is no node; without hashes nothing names it.
      if ((node !== null && pseudoNodes.has(node)) || (node === null && row.source === 'input')) continue;
      found.push({ fate: isLeaf ? 'pending' : 'orphaned', checkpoint: row.id, task, node });
    }
  }
  return found;
}

function hasUpdateChild(account: NamespaceAccount, at: number): boolean {
  return [...childrenOf(account.tree, at)].some((child) => rowAt(account.tree, child).source === 'update');
}

/**
 * An update stores what it wrote under its parent: Python under the id of the node's real task with an empty path, JS
 * under an id that belongs to no task. Neither is an execution.
 */
function isUpdateWrite(
  thread: ThreadAccount,
  row: CheckpointRow,
  task: TaskId,
  named: ReadonlyMap<TaskId, NamedTask>,
): boolean {
  if (!named.has(task)) return true;
  const writes = thread.writes.at(row.namespace, row.id).filter((write) => write.task === task);
  return writes.every((write) => write.taskPath === '');
}

function hasCommittingChild(account: NamespaceAccount, at: number): boolean {
  const parent = rowAt(account.tree, at);
  for (const child of childrenOf(account.tree, at)) {
    const edge = account.edges[child];
    if (edge?.kind === 'compacted') {
      if (!consumedInput(parent, rowAt(account.tree, child))) return true;
    } else if (edge?.kind === 'superstep' || edge?.kind === 'anomalous' || edge?.tasks.length !== 0)
      return true;
  }
  return false;
}
