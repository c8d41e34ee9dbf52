/**
 * Orders in which a tree is walked without recursion: parents before children, subtrees as intervals, ancestry in
 * constant time. Id order is not such an order, since a child's id may sort before its parent's.
 */
import { childCount, noParent, type Tree } from './tree.ts';

/** Depth-first numbering of a forest. */
export interface Walk {
  /** Indices, each parent before its children; siblings ascending by id. */
  readonly order: Int32Array;
  /** Position of each row in `order`. */
  readonly entered: Int32Array;
  /** The subtree of row i is `order[entered[i]] … order[left[i] - 1]`. */
  readonly left: Int32Array;
}

/** Numbers the forest. *Cost*: linear, no recursion. */
export function walk(tree: Tree): Walk {
  const count = tree.rows.length;
  const order = new Int32Array(count);
  const entered = new Int32Array(count);
  const left = new Int32Array(count);
  const open: number[] = [...tree.roots, ...tree.orphans].reverse();
  let position = 0;
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    entered[at] = position;
    order[position] = at;
    position += 1;
    const start = tree.childStart[at] ?? 0;
    for (let child = (tree.childStart[at + 1] ?? 0) - 1; child >= start; child--) {
      open.push(tree.childList[child] ?? 0);
    }
  }
  // A subtree ends where its last descendant does; children come later in the order, so go backwards.
  for (let place = position - 1; place >= 0; place--) {
    const at = order[place] ?? 0;
    left[at] = Math.max(left[at] ?? 0, place + 1);
    const parent = tree.parentOf[at] ?? noParent;
    if (parent >= 0) left[parent] = Math.max(left[parent] ?? 0, left[at] ?? 0);
  }
  return { order, entered, left };
}

/** Whether row `above` is `below` or one of its ancestors. */
export function isAncestor(numbering: Walk, above: number, below: number): boolean {
  const place = numbering.entered[below] ?? 0;
  return (numbering.entered[above] ?? 0) <= place && place < (numbering.left[above] ?? 0);
}

/**
 * Which of `tops` is `below` or its ancestor; null for none. `tops` must come in the walk's order, none above another.
 * *Cost*: logarithmic in their number.
 */
export function ancestorAmong(numbering: Walk, tops: readonly number[], below: number): number | null {
  const place = numbering.entered[below] ?? 0;
  let low = 0;
  let high = tops.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((numbering.entered[tops[middle] ?? 0] ?? 0) <= place) low = middle + 1;
    else high = middle;
  }
  const top = tops[low - 1];
  return top !== undefined && isAncestor(numbering, top, below) ? top : null;
}

/** Indices of the subtree under `top`, itself included, parents first. */
export function subtree(numbering: Walk, top: number): Int32Array {
  return numbering.order.subarray(numbering.entered[top] ?? 0, numbering.left[top] ?? 0);
}

/** The nearest common ancestor; {@link noParent} when the two lie in different trees. */
export function commonAncestor(tree: Tree, numbering: Walk, a: number, b: number): number {
  let at = a;
  while (at >= 0 && !isAncestor(numbering, at, b)) at = tree.parentOf[at] ?? noParent;
  return at < 0 ? noParent : at;
}

/** A maximal unbranched run of rows. */
export interface Branch {
  /** Indices from its first row to its last. */
  readonly rows: readonly number[];
  /** Index of the row it grows from; {@link noParent} for none. */
  readonly from: number;
}

/** The branches of a forest: each starts at a root, an orphan or a fork's child. */
export function branches(tree: Tree): Branch[] {
  const found: Branch[] = [];
  const open: number[] = [...tree.roots, ...tree.orphans].reverse();
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    const rows = [at];
    let last = at;
    while (childCount(tree, last) === 1) {
      last = tree.childList[tree.childStart[last] ?? 0] ?? last;
      rows.push(last);
    }
    found.push({ rows, from: Math.max(tree.parentOf[at] ?? noParent, noParent) });
    const start = tree.childStart[last] ?? 0;
    for (let child = (tree.childStart[last + 1] ?? 0) - 1; child >= start; child--) {
      open.push(tree.childList[child] ?? 0);
    }
  }
  return found;
}
