/**
 * Finds tasks of JS rows that are stored as finished without writes beside a failed sibling: rows cannot tell whether
 * they ran. Places are found in one pass over the writes; ordinary threads have none.
 */
import type { CheckpointId, Namespace, NodeName, TaskId } from '#analysis/model/identifiers.ts';
import { rowAt } from '#analysis/lineage/tree.ts';
import { isSynthetic } from '#analysis/rows/control-channels.ts';
import { rowWriter } from '#analysis/rows/versions.ts';
import type { ThreadAccount } from './account.ts';
import { storedOutcomes } from './stored-outcome.ts';
import type { TaskNames } from './task-names.ts';

/** A task that may never have run. */
export interface PhantomTask {
  readonly namespace: Namespace;
  readonly checkpoint: CheckpointId;
  readonly task: TaskId;
  /** Null when nothing names it. */
  readonly node: NodeName | null;
}

/** All phantoms of a thread. *Cost*: one pass over the writes. */
export function phantomTasks(thread: ThreadAccount, names: TaskNames): PhantomTask[] {
  if (!thread.writes.hasOwn('__no_writes__') || !thread.writes.hasOwn('__error__')) return [];
  const silent = new Set<string>();
  const failed = new Set<string>();
  for (const { channel, checkpoint } of thread.rows.writes ?? []) {
    if (channel === '__no_writes__') silent.add(checkpoint);
    else if (channel === '__error__') failed.add(checkpoint);
  }
  const found: PhantomTask[] = [];
  for (const account of thread.namespaces) {
    for (let at = 0; at < account.tree.rows.length; at++) {
      const row = rowAt(account.tree, at);
      if (!silent.has(row.id) || !failed.has(row.id) || rowWriter(row) !== 'js') continue;
      const outcomes = storedOutcomes(thread.writes.at(row.namespace, row.id));
      if (![...outcomes.values()].some((outcome) => outcome.failed)) continue;
      const tasks = [...outcomes].filter(([task, outcome]) => isQuiet(task, outcome)).map(([task]) => task);
      const named = names.name(account, at, new Set(tasks));
      for (const task of tasks) {
        const node = named.get(task)?.node ?? null;
        found.push({ namespace: row.namespace, checkpoint: row.id, task, node });
      }
    }
  }
  return found;
}

function isQuiet(task: TaskId, outcome: { readonly silent: boolean; readonly failed: boolean }): boolean {
  return outcome.silent && !outcome.failed && !isSynthetic(task);
}
