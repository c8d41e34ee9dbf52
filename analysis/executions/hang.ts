/**
 * How a subgraph's namespace hangs on its parent graph, and what that hides. Each of its rows names, under
 * `metadata.parents`, the checkpoint its task was planned from; the task's superstep is the edge below that. After a
 * fork of the parent graph the losing branch's subgraph is on the head of its own namespace and hidden all the same.
 * Easy to get wrong: the task may still be running (no edge yet), which hides nothing.
 */
import type { CheckpointRow } from '#analysis/model/checkpoint.ts';
import type { Namespace } from '#analysis/model/identifiers.ts';
import { childCount, childrenOf, rowAt, type Tree } from '#analysis/lineage/tree.ts';
import type { NamespaceAccount } from './account.ts';

/** The namespace of the graph that a namespace's task ran in: without its last segments. Null for the root. */
export function enclosingNamespace(
  namespace: Namespace,
  known: ReadonlyMap<Namespace, unknown>,
): Namespace | null {
  for (let name: string = namespace; name !== '';) {
    const cut = name.lastIndexOf('|');
    name = cut < 0 ? '' : name.slice(0, cut);
    // A numeric segment counts a second call from the same node and names no graph of its own.
    if (known.has(name as Namespace)) return name as Namespace;
  }
  return null;
}

/** 1 for each edge of `tree` that the root's head does not show. Parents' accounts must be in `others`. */
export function hungOnHiddenEdges(
  tree: Tree,
  onHead: Uint8Array,
  others: ReadonlyMap<Namespace, NamespaceAccount>,
): Uint8Array {
  const hidden = new Uint8Array(tree.rows.length);
  const enclosing = enclosingNamespace(tree.namespace, others);
  const parent = enclosing === null ? undefined : others.get(enclosing);
  for (let at = 0; at < hidden.length; at++) {
    if (onHead[at] === 0) hidden[at] = 1;
    else if (parent !== undefined && hangsHidden(rowAt(tree, at), parent)) hidden[at] = 1;
  }
  return hidden;
}

function hangsHidden(row: CheckpointRow, parent: NamespaceAccount): boolean {
  const planned = row.parents.get(parent.namespace);
  const at = planned === undefined ? undefined : parent.find(planned);
  if (at === undefined) return false;
  if (parent.hidden[at] === 1) return true;
  if (childCount(parent.tree, at) === 0) return false;
  for (const child of childrenOf(parent.tree, at)) {
    // Shown as soon as the superstep that ran the task is shown; an input row there discarded it.
    if (parent.hidden[child] === 0 && rowAt(parent.tree, child).source === 'loop') return false;
  }
  return true;
}
