/**
 * The head and its lineage: what LangGraph loads when no checkpoint id is given. The head is the greatest id of the
 * namespace over all branches, whichever wrote last by its own clock; not the deepest leaf, and not always a leaf.
 */
import { noParent, type Tree } from './tree.ts';

/** Index of the row with the greatest id; -1 for no rows. */
export function headOf(tree: Tree): number {
  return tree.rows.length - 1;
}

/** Indices from the root (or from a row whose parent is absent) down to `index`, in that order. */
export function lineageOf(tree: Tree, index: number): number[] {
  const path: number[] = [];
  for (let at = index; at >= 0; at = tree.parentOf[at] ?? noParent) path.push(at);
  return path.reverse();
}

/** 1 for every row on the head's lineage. */
export function onHeadLineage(tree: Tree): Uint8Array {
  const marked = new Uint8Array(tree.rows.length);
  if (tree.isChain) return marked.fill(1);
  for (let at = headOf(tree); at >= 0; at = tree.parentOf[at] ?? noParent) marked[at] = 1;
  return marked;
}
