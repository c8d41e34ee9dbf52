/**
 * Accounts for the rows of one thread: groups them by namespace and accounts for each tree, enclosing graphs before
 * the subgraphs that hang on them. Easy to get wrong: most threads have the root namespace alone, and copying their
 * rows into groups would cost more than analysing them.
 */
import { pushTo } from '#analysis/model/maps.ts';
import type { CheckpointRow, ThreadRows } from '#analysis/model/checkpoint.ts';
import { rootNamespace, type CheckpointId, type Namespace } from '#analysis/model/identifiers.ts';
import type { Writer } from '#analysis/model/report.ts';
import { onHeadLineage } from '#analysis/lineage/head.ts';
import { forkedSiblings } from '#analysis/lineage/siblings.ts';
import { grow, type Tree } from '#analysis/lineage/tree.ts';
import { walk, type Walk } from '#analysis/lineage/walk.ts';
import { blobStore, writeStore, type BlobStore, type WriteStore } from '#analysis/rows/stores.ts';
import { rowWriter } from '#analysis/rows/versions.ts';
import type { NamespaceAccount, ThreadAccount } from './account.ts';
import { accountEdges } from './edge-account.ts';
import { hungOnHiddenEdges } from './hang.ts';

/** Accounts for a thread's rows. *Cost*: linear for rows sorted by id. */
export function accountThread(rows: ThreadRows): ThreadAccount {
  const blobs = blobStore(rows);
  const writes = writeStore(rows);
  const byName = new Map<Namespace, NamespaceAccount>();
  const groups = [...byNamespace(rows.checkpoints)];
  // Parents are shorter than the namespaces that hang on them, and are accounted for first.
  groups.sort((a, b) => a[0].length - b[0].length || (a[0] < b[0] ? -1 : 1));
  for (const [namespace, group] of groups) {
    byName.set(namespace, accountNamespace(grow(namespace, group), blobs, writes, byName));
  }
  const namespaces = [...byName.values()].sort((a, b) => (a.namespace < b.namespace ? -1 : 1));
  return { rows, namespaces, byName, blobs, writes };
}

function byNamespace(rows: readonly CheckpointRow[]): Map<Namespace, readonly CheckpointRow[]> {
  const groups = new Map<Namespace, CheckpointRow[]>();
  if (rows.length > 0 && rows.every((row) => row.namespace === rootNamespace)) {
    return new Map([[rootNamespace, rows]]);
  }
  for (const row of rows) pushTo(groups, row.namespace, row);
  return groups;
}

function accountNamespace(
  tree: Tree,
  blobs: BlobStore,
  writes: WriteStore,
  others: ReadonlyMap<Namespace, NamespaceAccount>,
): NamespaceAccount {
  const onHead = onHeadLineage(tree);
  let index: Map<CheckpointId, number> | null = null;
  let numbering: Walk | null = null;
  return {
    namespace: tree.namespace,
    tree,
    onHead,
    edges: accountEdges(tree, onHead, blobs, writes),
    hidden: hungOnHiddenEdges(tree, onHead, others),
    forks: forkedSiblings(tree),
    writer: writerOf(tree),
    find: (id) => (index ??= indexIds(tree)).get(id),
    walk: () => (numbering ??= walk(tree)),
  };
}

function indexIds(tree: Tree): Map<CheckpointId, number> {
  return new Map(tree.rows.map((row, at) => [row.id, at]));
}

/** The writer of the newest row: a thread that changed language is what it is now. */
function writerOf(tree: Tree): Writer {
  const newest = tree.rows.at(-1);
  return newest === undefined ? 'unknown' : rowWriter(newest);
}
