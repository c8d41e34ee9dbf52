/**
 * Lets the effect log decide what rows leave open: whether a resumed run ran a task again or took it from stored
 * writes. Only a complete log can say that something did not happen; an incomplete one can still say that it did.
 */
import { rowAt } from '#analysis/lineage/tree.ts';
import { getOrMake } from '#analysis/model/maps.ts';
import type { EffectLog } from '#analysis/model/effect.ts';
import type { NodeName } from '#analysis/model/identifiers.ts';
import type { NamespaceAccount } from './account.ts';
import type { EdgeAccount } from './edge-account.ts';
import type { FatedExecution } from './fates.ts';

/** How many executions of each node the log shows on one edge. */
export type EdgeLog = ReadonlyMap<NodeName, number>;

/** The log's executions per namespace and edge. */
export type LogOnEdges = ReadonlyMap<NamespaceAccount, ReadonlyMap<number, EdgeLog>>;

/** Sorts committed executions by edge. Executions that only the second instrument has count too: they happened. */
export function logOnEdges(fates: readonly FatedExecution[]): LogOnEdges {
  const found = new Map<NamespaceAccount, Map<number, Map<NodeName, number>>>();
  for (const { execution, fate } of fates) {
    if (fate.kind !== 'committed') continue;
    const edges = getOrMake(found, fate.account, () => new Map<number, Map<NodeName, number>>());
    const counts = getOrMake(edges, fate.child, () => new Map<NodeName, number>());
    counts.set(execution.node, (counts.get(execution.node) ?? 0) + 1);
  }
  return found;
}

/** Whether nothing suggests that the log lacks records. */
export function isComplete(log: EffectLog): boolean {
  return log.health === null || (log.health.lost.length === 0 && log.health.indeterminate.length === 0);
}

/** A namespace's edges with the open executions decided, where the log decides them. */
export function settleEdges(
  account: NamespaceAccount,
  log: EffectLog | null,
  onEdges: LogOnEdges,
): readonly EdgeAccount[] {
  if (log === null || account.edges.every(isSettled)) return account.edges;
  const complete = isComplete(log);
  const logged = new Set(log.effects.map((effect) => effect.node));
  return account.edges.map((open, child) => {
    if (isSettled(open)) return open;
    const onEdge = onEdges.get(account)?.get(child) ?? noneSeen;
    const edge = open.kind === 'compacted' ? unfold(account, open, child, log, onEdge) : open;
    return edge.uncertain.length === 0 ? edge : decide(edge, new Map(onEdge), complete, logged);
  });
}

const noneSeen: EdgeLog = new Map();

function isSettled(edge: EdgeAccount): boolean {
  return edge.uncertain.length === 0 && edge.kind !== 'compacted';
}

/**
 * A compacted edge shows each node at least once; the log shows how often. It is the whole truth where the row names
 * its run and the log's own numbering proves that nothing is missing.
 */
function unfold(
  account: NamespaceAccount,
  edge: EdgeAccount,
  child: number,
  log: EffectLog,
  onEdge: EdgeLog,
): EdgeAccount {
  const tasks = [...edge.tasks];
  for (const [node, count] of onEdge) {
    const shown = edge.tasks.filter((task) => task === node).length;
    for (let more = shown; more < count; more++) tasks.push(node);
  }
  const proven = log.health !== null && isComplete(log) && rowAt(account.tree, child).run !== null;
  const everyNodeLogged = edge.tasks.every((node) => onEdge.has(node));
  return { ...edge, tasks, incomplete: proven && everyNodeLogged ? null : edge.incomplete };
}

function decide(
  edge: EdgeAccount,
  seen: Map<NodeName, number>,
  complete: boolean,
  logged: ReadonlySet<NodeName>,
): EdgeAccount {
  const certain: NodeName[] = [];
  const open: NodeName[] = [];
  const left = new Map<NodeName, number>();
  for (const node of edge.uncertain) left.set(node, (left.get(node) ?? 0) + 1);
  for (const node of edge.tasks) {
    const doubtful = left.get(node) ?? 0;
    const confirmed = seen.get(node) ?? 0;
    seen.set(node, Math.max(0, confirmed - 1));
    if (doubtful > 0) left.set(node, doubtful - 1);
    if (doubtful === 0 || confirmed > 0) certain.push(node);
    else if (!complete || !logged.has(node)) open.push(node);
  }
  return { ...edge, tasks: [...certain, ...open], uncertain: open };
}
