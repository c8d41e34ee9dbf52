/**
 * Nodes that ran more often than edges show: a failed or aborted attempt leaves an error row and no edge, a retry
 * inside one run leaves nothing but its record in the log. How often is not always known, only that it was more.
 */
import type { EffectLog } from '#analysis/model/effect.ts';
import type { NodeName, TaskId } from '#analysis/model/identifiers.ts';
import { getOrMake } from '#analysis/model/maps.ts';
import type { NamespaceAccount, ThreadAccount } from './account.ts';
import type { TaskNames } from './task-names.ts';

/** The nodes of one namespace with attempts beyond their committed executions. *Cost*: one pass over the writes. */
export function attemptedNodes(
  thread: ThreadAccount,
  account: NamespaceAccount,
  names: TaskNames,
  log: EffectLog | null,
): ReadonlySet<NodeName> {
  const failed = new Map<number, Set<TaskId>>();
  const writes = thread.writes.hasOwn('__error__') ? (thread.rows.writes ?? []) : [];
  for (const write of writes) {
    if (write.channel !== '__error__' || write.namespace !== account.namespace) continue;
    const at = account.find(write.checkpoint);
    if (at !== undefined) getOrMake(failed, at, () => new Set<TaskId>()).add(write.task);
  }
  const nodes = new Set<NodeName>();
  for (const [at, tasks] of failed) {
    for (const { node } of names.name(account, at, tasks).values()) nodes.add(node);
  }
  for (const { attempt, node, namespace } of log?.effects ?? []) {
    if (attempt !== null && attempt > 1 && namespace === account.namespace) nodes.add(node);
  }
  return nodes;
}
