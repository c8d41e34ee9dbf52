/**
 * Sibling sets: all rows that name one parent. NULL is one such parent, and so is an id whose row is absent, since
 * pruning a forked row must not hide the fork.
 */
import type { CheckpointId } from '#analysis/model/identifiers.ts';
import { childCount, childrenOf, rowAt, type Tree } from './tree.ts';

/** Two or more rows with one parent. */
export interface SiblingSet {
  /** Null for roots. */
  readonly parent: CheckpointId | null;
  /** Index of the parent's row; null when the parent is NULL or its row is absent. */
  readonly parentIndex: number | null;
  /** Indices, ascending by id, at least two. */
  readonly children: readonly number[];
}

/** Every sibling set larger than one: roots first, then absent parents, then by the parent's id. */
export function forkedSiblings(tree: Tree): SiblingSet[] {
  if (tree.isChain) return [];
  const found: SiblingSet[] = [];
  if (tree.roots.length > 1) found.push({ parent: null, parentIndex: null, children: tree.roots });
  const orphans = new Map<CheckpointId, number[]>();
  for (const orphan of tree.orphans) {
    const parent = rowAt(tree, orphan).parent;
    if (parent === null) continue;
    const siblings = orphans.get(parent);
    if (siblings === undefined) orphans.set(parent, [orphan]);
    else siblings.push(orphan);
  }
  for (const [parent, children] of orphans) {
    if (children.length > 1) found.push({ parent, parentIndex: null, children });
  }
  for (let at = 0; at < tree.rows.length; at++) {
    if (childCount(tree, at) < 2) continue;
    found.push({ parent: rowAt(tree, at).id, parentIndex: at, children: [...childrenOf(tree, at)] });
  }
  return found;
}
