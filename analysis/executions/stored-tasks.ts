/**
 * Executions that only the stored writes show: functional calls and error handlers never reach `versions_seen`, an
 * unreadable Send list is made good by the ids of the tasks it started, and an update may commit what an earlier run
 * had finished. Only supersteps whose parent has such writes are looked into; ordinary threads cost one pass.
 * Source: langgraph-format §5.4 (CALLS, HANDLERS) and §5.5.
 */
import type { NodeName, TaskId } from '#analysis/model/identifiers.ts';
import { noParent, parentRow, rowAt } from '#analysis/lineage/tree.ts';
import { isSynthetic } from '#analysis/rows/control-channels.ts';
import { advancedNodes, pseudoNodes } from '#analysis/rows/versions-seen.ts';
import type { NamespaceAccount, ThreadAccount } from './account.ts';
import type { EdgeAccount } from './edge-account.ts';
import { phantomTasks, type PhantomTask } from './phantom-tasks.ts';
import { storedOutcomes } from './stored-outcome.ts';
import type { NamedTask, TaskNames } from './task-names.ts';

/** The thread with the executions that only its writes show. The same account where there are none. */
export function withStoredTasks(thread: ThreadAccount, names: TaskNames): ThreadAccount {
  const telling = tellingPlaces(thread);
  const phantoms = phantomTasks(thread, names);
  if (telling.size === 0 && phantoms.length === 0 && !thread.namespaces.some(needsWrites)) return thread;
  const namespaces = thread.namespaces.map((account) => {
    const edges = account.edges.map((edge, at) =>
      doubted(account, amended(thread, account, edge, at, telling, names), at, phantoms),
    );
    return edges.every((edge, at) => edge === account.edges[at]) ? account : { ...account, edges };
  });
  if (namespaces.every((account, at) => account === thread.namespaces[at])) return thread;
  return {
    ...thread,
    namespaces,
    byName: new Map(namespaces.map((account) => [account.namespace, account])),
  };
}

/** The edge with executions in doubt that may be phantoms. */
function doubted(
  account: NamespaceAccount,
  edge: EdgeAccount,
  at: number,
  phantoms: readonly PhantomTask[],
): EdgeAccount {
  if (phantoms.length === 0 || edge.kind !== 'superstep') return edge;
  const { parent } = rowAt(account.tree, at);
  const more = phantoms
    .filter(({ checkpoint, namespace }) => checkpoint === parent && namespace === account.namespace)
    .flatMap(({ node }) =>
      node !== null && edge.tasks.includes(node) && !edge.uncertain.includes(node) ? [node] : [],
    );
  return more.length === 0 ? edge : { ...edge, uncertain: [...edge.uncertain, ...more] };
}

/** Whether some edge's account cannot do without the stored writes. */
function needsWrites({ edges, tree }: NamespaceAccount): boolean {
  for (let at = 0; at < edges.length; at++) {
    const edge = edges[at];
    if (edge?.kind === 'superstep' && edge.incomplete !== null) return true;
    if (edge?.kind === 'bookkeeping' && tree.rows[at]?.source === 'update') return true;
  }
  return false;
}

/** Checkpoints with writes of functional calls or error handlers. */
function tellingPlaces(thread: ThreadAccount): ReadonlySet<string> {
  const places = new Set<string>();
  if (!thread.writes.hasOwn('__return__') && !thread.writes.hasOwn('__error_source_node__')) return places;
  for (const { channel, checkpoint } of thread.rows.writes ?? []) {
    if (channel === '__return__' || channel === '__error_source_node__') places.add(checkpoint);
  }
  return places;
}

function amended(
  thread: ThreadAccount,
  account: NamespaceAccount,
  edge: EdgeAccount,
  at: number,
  telling: ReadonlySet<string>,
  names: TaskNames,
): EdgeAccount {
  const parent = account.tree.parentOf[at] ?? noParent;
  if (parent < 0) return edge;
  if (edge.kind === 'bookkeeping') {
    return rowAt(account.tree, at).source === 'update' ? lateCommits(thread, account, edge, at, names) : edge;
  }
  const sendsUnknown = edge.kind === 'superstep' && edge.incomplete !== null;
  if (edge.kind !== 'superstep' || !(sendsUnknown || telling.has(rowAt(account.tree, parent).id)))
    return edge;
  const finished = finishedTasks(thread, account, parent);
  const named = names.name(account, parent, finished);
  const more: NodeName[] = [];
  let unnamed = 0;
  for (const task of finished) {
    const known = named.get(task);
    if (known === undefined) unnamed += 1;
    else if (isOnlyStored(known, sendsUnknown, edge)) more.push(known.node);
  }
  if (unnamed > 0) {
    const incomplete = `${unnamed} stored tasks have ids that no known name explains`;
    return { ...edge, tasks: [...edge.tasks, ...more], incomplete: edge.incomplete ?? incomplete };
  }
  // A sibling that re-entered may have taken these from their stored writes too.
  const uncertain = edge.uncertain.length > 0 ? [...edge.uncertain, ...more] : edge.uncertain;
  return {
    ...edge,
    tasks: [...edge.tasks, ...more],
    uncertain,
    incomplete: sendsUnknown ? null : edge.incomplete,
  };
}

/** Pulled tasks are in `versions_seen`, sent ones on the Send list where that is readable. */
function isOnlyStored({ node, kind }: NamedTask, sendsUnknown: boolean, edge: EdgeAccount): boolean {
  if (kind === 'call' || kind === 'handler') return true;
  if (kind === 'push') return sendsUnknown;
  return kind === null && !edge.tasks.includes(node) && !pseudoNodes.has(node);
}

function finishedTasks(thread: ThreadAccount, account: NamespaceAccount, parent: number): Set<TaskId> {
  const row = rowAt(account.tree, parent);
  const finished = new Set<TaskId>();
  for (const [task, outcome] of storedOutcomes(thread.writes.at(row.namespace, row.id))) {
    if (outcome.finished && !isSynthetic(task)) finished.add(task);
  }
  return finished;
}

/** An update marks nodes as seen; those of them that had finished are committed by it, the others are cleared. */
function lateCommits(
  thread: ThreadAccount,
  account: NamespaceAccount,
  edge: EdgeAccount,
  at: number,
  names: TaskNames,
): EdgeAccount {
  const parent = account.tree.parentOf[at] ?? noParent;
  const cleared = advancedNodes(parentRow(account.tree, at) ?? null, rowAt(account.tree, at));
  if (cleared.length === 0) return edge;
  const named = names.name(account, parent, finishedTasks(thread, account, parent));
  const committed = [...named.values()].map(({ node }) => node).filter((node) => cleared.includes(node));
  return committed.length === 0 ? edge : { ...edge, tasks: committed };
}
