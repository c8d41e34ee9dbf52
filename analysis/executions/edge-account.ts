/**
 * Which nodes ran on each edge of one tree, in langgraph-format §5.4's terms: pulled nodes by the difference of
 * `versions_seen`, sent tasks by the Send list on the parent. What a compacted edge shows is a lower bound, and a
 * superstep that was committed twice from one parent need not have run twice: a resumed run takes finished tasks
 * from their stored writes.
 */
import type { CheckpointRow } from '#analysis/model/checkpoint.ts';
import type { NodeName } from '#analysis/model/identifiers.ts';
import { childCount, childrenOf, parentRow, rowAt, type Tree } from '#analysis/lineage/tree.ts';
import { edgeKind, type EdgeKind } from '#analysis/rows/edge.ts';
import { reentered } from '#analysis/rows/re-entry.ts';
import type { BlobStore, WriteStore } from '#analysis/rows/stores.ts';
import { advancedNodes } from '#analysis/rows/versions-seen.ts';
import { sendsOf } from './sends.ts';

/** One edge's account. */
export interface EdgeAccount {
  readonly kind: EdgeKind;
  /** The committed tasks by node, repetitions included; at least these where the edge is compacted. */
  readonly tasks: readonly NodeName[];
  /** Those of `tasks` that a sibling committed too and this run may have taken from stored writes. */
  readonly uncertain: readonly NodeName[];
  /** Why tasks may be missing from `tasks`; null when the account is complete. */
  readonly incomplete: string | null;
}

const noTasks: readonly NodeName[] = [];
const silent: Readonly<Record<Exclude<EdgeKind, 'compacted'>, EdgeAccount>> = {
  superstep: { kind: 'superstep', tasks: noTasks, uncertain: noTasks, incomplete: null },
  bookkeeping: { kind: 'bookkeeping', tasks: noTasks, uncertain: noTasks, incomplete: null },
  root: { kind: 'root', tasks: noTasks, uncertain: noTasks, incomplete: null },
  dangling: {
    kind: 'dangling',
    tasks: noTasks,
    uncertain: noTasks,
    incomplete: "its parent's row is absent",
  },
  anomalous: {
    kind: 'anomalous',
    tasks: noTasks,
    uncertain: noTasks,
    incomplete: "its step does not follow its parent's",
  },
};

/** Accounts for every edge of a tree, by the index of its child. *Cost*: linear in the rows and their size. */
export function accountEdges(
  tree: Tree,
  onHead: Uint8Array,
  blobs: BlobStore,
  writes: WriteStore,
): EdgeAccount[] {
  const accounts: EdgeAccount[] = [];
  for (let at = 0; at < tree.rows.length; at++) accounts.push(accountEdge(tree, at, blobs, writes));
  if (!tree.isChain) markUncertain(tree, accounts, onHead);
  return accounts;
}

function accountEdge(tree: Tree, at: number, blobs: BlobStore, writes: WriteStore): EdgeAccount {
  const child = rowAt(tree, at);
  const parent = parentRow(tree, at);
  const kind = edgeKind(parent, child);
  if (kind !== 'superstep' && kind !== 'compacted') {
    return kind === 'dangling' && child.source !== 'loop' ? silent.root : silent[kind];
  }
  const tasks = advancedNodes(parent ?? null, child);
  let incomplete = kind === 'compacted' ? 'several supersteps share one row' : null;
  if (parent !== null && parent !== undefined && kind === 'superstep') {
    const sends = sendsOf(parent, blobs, writes);
    if (sends.kind === 'unreadable')
      incomplete = `the Send list of ${parent.id} is unreadable: ${sends.because}`;
    else for (const node of sends.nodes) tasks.push(node);
  }
  // `__start__` alone: every turn has one such superstep.
  if (tasks.length === 0 && incomplete === null) return silent.superstep;
  return { kind, tasks, uncertain: noTasks, incomplete };
}

/**
 * Several loop children of one parent: each task ran at least once and at most once per child. A child without the
 * re-entry stamp was written by the process that planned the tasks and surely ran them; where all are stamped, the
 * one certain execution is attributed to the child on the head's lineage.
 */
function markUncertain(tree: Tree, accounts: EdgeAccount[], onHead: Uint8Array): void {
  for (let parent = 0; parent < tree.rows.length; parent++) {
    if (childCount(tree, parent) < 2) continue;
    const row = rowAt(tree, parent);
    const loops = [...childrenOf(tree, parent)].filter((child) => (accounts[child]?.tasks.length ?? 0) > 0);
    const resumed = loops.filter((child) => reentered(row, rowAt(tree, child)));
    if (loops.length < 2 || resumed.length === 0) continue;
    const owner =
      loops.find((child) => !resumed.includes(child)) ??
      loops.find((child) => onHead[child] === 1) ??
      loops[0];
    const owned = owner === undefined ? noTasks : (accounts[owner]?.tasks ?? noTasks);
    for (const child of resumed) {
      const account = accounts[child];
      if (child === owner || account === undefined) continue;
      const planned = account.tasks.filter((node) => plannedAt(row, rowAt(tree, child), node));
      accounts[child] = { ...account, uncertain: intersection(planned, owned) };
    }
  }
}

/** Whether the node's last execution before `child` read `parent`'s versions; a later one read newer ones. */
function plannedAt(parent: CheckpointRow, child: CheckpointRow, node: NodeName): boolean {
  for (const [channel, version] of child.versionsSeen.get(node) ?? []) {
    if (parent.channelVersions.get(channel) !== version) return false;
  }
  return true;
}

/** Members of `nodes` that `others` hold too, each as often as in both. */
function intersection(nodes: readonly NodeName[], others: readonly NodeName[]): NodeName[] {
  const left = new Map<NodeName, number>();
  for (const node of others) left.set(node, (left.get(node) ?? 0) + 1);
  return nodes.filter((node) => {
    const count = left.get(node) ?? 0;
    left.set(node, count - 1);
    return count > 0;
  });
}
