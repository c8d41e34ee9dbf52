/**
 * Which keys of their updates did nodes return in vain? LangGraph keeps the keys that the state's schema has and drops
 * the others without a word, in both languages; a misspelt key is gone. Easy to get wrong: a key is not lost because
 * one run's row is missing, which is another defect; it is lost when no row of the thread has a channel of its name.
 * *Source*: langgraph 1.7.3, dist/graph/state.js, `_getUpdates` (`outputKeys.includes`).
 */
import type { ThreadEvidence } from '../model/evidence.ts';
import type { NodeName } from '../model/identifiers.ts';
import { getOrMake } from '../model/maps.ts';
import type { ThreadReport } from '../model/report.ts';

/**
 * Node → keys that it returned and no channel of its namespace holds. Only nodes of which an edge shows a committed
 * execution are judged. Null when no record of the log tells what its node returned.
 */
export function lostKeys(
  report: ThreadReport,
  { rows, log }: ThreadEvidence,
): ReadonlyMap<NodeName, ReadonlySet<string>> | null {
  const telling = (log?.effects ?? []).filter(({ returnedKeys }) => returnedKeys !== undefined);
  if (telling.length === 0) return null;
  const committed = new Map(
    report.namespaces.map(({ namespace, executions }) => [namespace, executions.tree] as const),
  );
  const stored = new Map<string, Set<string>>();
  for (const { namespace, channelVersions } of rows.checkpoints) {
    const channels = getOrMake(stored, namespace, () => new Set<string>());
    for (const channel of channelVersions.keys()) channels.add(channel);
  }
  for (const { namespace, channel } of rows.writes ?? []) {
    getOrMake(stored, namespace, () => new Set<string>()).add(channel);
  }
  const lost = new Map<NodeName, Set<string>>();
  for (const { node, namespace, returnedKeys } of telling) {
    if (namespace === null || (committed.get(namespace)?.get(node) ?? 0) === 0) continue;
    for (const key of returnedKeys ?? []) {
      if (stored.get(namespace)?.has(key) !== true) getOrMake(lost, node, () => new Set<string>()).add(key);
    }
  }
  return lost;
}
