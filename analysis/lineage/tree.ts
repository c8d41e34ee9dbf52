/**
 * Grows the tree of one namespace from rows in any order. NULL is a parent like any other (two first inputs race to
 * two roots), and a parent's row may be absent. Easy to get wrong: a child's id may sort before its parent's under
 * clock skew, so only `parent_checkpoint_id` makes edges; and nothing may recurse, chains of 100,000 rows exist.
 */
import type { CheckpointRow } from '#analysis/model/checkpoint.ts';
import type { CheckpointId, Namespace } from '#analysis/model/identifiers.ts';

/** The parent index of a root (its parent is NULL). */
export const noParent = -1;
/** The parent index of a row whose parent's row is absent. */
export const absentParent = -2;

/** One namespace's rows as a forest over indices into `rows`. */
export interface Tree {
  readonly namespace: Namespace;
  /** Ascending by id, one per id. */
  readonly rows: readonly CheckpointRow[];
  /** Index of each row's parent, {@link noParent} or {@link absentParent}. */
  readonly parentOf: Int32Array;
  /** Children of row i, ascending by id, are `childList[childStart[i]] … childList[childStart[i + 1] - 1]`. */
  readonly childStart: Int32Array;
  readonly childList: Int32Array;
  /** Rows whose parent is NULL, ascending by id. */
  readonly roots: readonly number[];
  /** Rows whose parent's row is absent, ascending by id. */
  readonly orphans: readonly number[];
  /** Rows without children, ascending by id. */
  readonly leaves: readonly number[];
  /** Every row but the first is the child of the row before it. */
  readonly isChain: boolean;
  /** Rows that share an id with another row or are their own ancestor; left out of `rows`. A real table has none. */
  readonly rejected: readonly CheckpointRow[];
}

/** The row at an index; a wrong index is a bug. */
export function rowAt(tree: Tree, index: number): CheckpointRow {
  const row = tree.rows[index];
  if (row === undefined) throw new RangeError(`row ${index} of ${tree.rows.length}`);
  return row;
}

/** The parent's row: null for a root, undefined when it is absent. */
export function parentRow(tree: Tree, index: number): CheckpointRow | null | undefined {
  const parent = tree.parentOf[index] ?? absentParent;
  return parent === noParent ? null : tree.rows[parent];
}

/** Children of a row, ascending by id. */
export function childrenOf(tree: Tree, index: number): Int32Array {
  return tree.childList.subarray(tree.childStart[index] ?? 0, tree.childStart[index + 1] ?? 0);
}

/** Number of children of a row, without making a list. */
export function childCount(tree: Tree, index: number): number {
  return (tree.childStart[index + 1] ?? 0) - (tree.childStart[index] ?? 0);
}

/**
 * Grows the tree. *Cost*: linear in the rows when they come sorted by id, n log n otherwise; no recursion.
 */
export function grow(namespace: Namespace, unsorted: readonly CheckpointRow[]): Tree {
  const { rows, rejected } = sortedUnique(unsorted);
  const parentOf = new Int32Array(rows.length);
  const isChain = linkChain(rows, parentOf) || linkAny(rows, parentOf);
  if (!isChain && hasCycle(parentOf)) {
    const cyclic = onCycle(parentOf);
    const kept = rows.filter((_, index) => cyclic[index] === 0);
    const lost = rows.filter((_, index) => cyclic[index] !== 0);
    const tree = grow(namespace, kept);
    return { ...tree, rejected: [...rejected, ...lost] };
  }
  return { namespace, rows, parentOf, isChain, rejected, ...adjacency(parentOf) };
}

function sortedUnique(unsorted: readonly CheckpointRow[]): {
  rows: readonly CheckpointRow[];
  rejected: readonly CheckpointRow[];
} {
  let ascending = true;
  for (let at = 1; at < unsorted.length && ascending; at++) {
    const before = unsorted[at - 1];
    const here = unsorted[at];
    ascending = before !== undefined && here !== undefined && before.id < here.id;
  }
  if (ascending) return { rows: unsorted, rejected: none };
  const sorted = [...unsorted].sort((a, b) => (a.id < b.id ? -1 : a.id > b.id ? 1 : tieBreak(a, b)));
  const rows: CheckpointRow[] = [];
  const rejected: CheckpointRow[] = [];
  for (const row of sorted) (rows.at(-1)?.id === row.id ? rejected : rows).push(row);
  return { rows, rejected };
}

/** Rows of one id are an export's mistake; which of them is kept must still not depend on their order. */
function tieBreak(a: CheckpointRow, b: CheckpointRow): number {
  const left = `${a.parent ?? ''} ${a.step ?? ''} ${a.run ?? ''}`;
  const right = `${b.parent ?? ''} ${b.step ?? ''} ${b.run ?? ''}`;
  return left < right ? -1 : left > right ? 1 : 0;
}

const none: readonly CheckpointRow[] = [];

/** The common case without an index of ids: each row is the child of the row before it. */
function linkChain(rows: readonly CheckpointRow[], parentOf: Int32Array): boolean {
  let before: CheckpointId | null = null;
  for (let at = 0; at < rows.length; at++) {
    const row = rows[at];
    if (row === undefined || row.parent !== before) return false;
    parentOf[at] = at - 1;
    before = row.id;
  }
  return true;
}

function linkAny(rows: readonly CheckpointRow[], parentOf: Int32Array): false {
  const indexOf = new Map<CheckpointId, number>();
  rows.forEach((row, at) => indexOf.set(row.id, at));
  rows.forEach((row, at) => {
    parentOf[at] = row.parent === null ? noParent : (indexOf.get(row.parent) ?? absentParent);
  });
  return false;
}

/** A parent that sorts after its child is needed for a cycle, and is rare: only then look closer. */
function hasCycle(parentOf: Int32Array): boolean {
  for (let at = 0; at < parentOf.length; at++) {
    if ((parentOf[at] ?? noParent) >= at) return onCycle(parentOf).includes(1);
  }
  return false;
}

/** Marks 1 every row that is its own ancestor. */
function onCycle(parentOf: Int32Array): Uint8Array {
  const state = new Uint8Array(parentOf.length);
  const cyclic = new Uint8Array(parentOf.length);
  for (let start = 0; start < parentOf.length; start++) {
    let at = start;
    while (at >= 0 && state[at] === 0) {
      state[at] = 1;
      at = parentOf[at] ?? noParent;
    }
    if (at >= 0 && state[at] === 1) {
      let member = at;
      do {
        cyclic[member] = 1;
        member = parentOf[member] ?? noParent;
      } while (member !== at);
    }
    for (at = start; at >= 0 && state[at] === 1; at = parentOf[at] ?? noParent) state[at] = 2;
  }
  return cyclic;
}

type Adjacency = Pick<Tree, 'childStart' | 'childList' | 'roots' | 'orphans' | 'leaves'>;

function adjacency(parentOf: Int32Array): Adjacency {
  const count = parentOf.length;
  const childStart = new Int32Array(count + 1);
  const roots: number[] = [];
  const orphans: number[] = [];
  for (let at = 0; at < count; at++) {
    const parent = parentOf[at] ?? noParent;
    if (parent === noParent) roots.push(at);
    else if (parent === absentParent) orphans.push(at);
    else childStart[parent + 1] = (childStart[parent + 1] ?? 0) + 1;
  }
  const leaves: number[] = [];
  for (let at = 0; at < count; at++) {
    if (childStart[at + 1] === 0) leaves.push(at);
    childStart[at + 1] = (childStart[at] ?? 0) + (childStart[at + 1] ?? 0);
  }
  const childList = new Int32Array(count - roots.length - orphans.length);
  const next = childStart.slice(0, count);
  for (let at = 0; at < count; at++) {
    const parent = parentOf[at] ?? noParent;
    if (parent < 0) continue;
    const place = next[parent] ?? 0;
    childList[place] = at;
    next[parent] = place + 1;
  }
  return { childStart, childList, roots, orphans, leaves };
}
