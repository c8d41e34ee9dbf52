/**
 * One namespace laid out for drawing: its rows, runs of rows taken together, and stand-ins for parents that are no
 * rows, each with its line and lane. Easy to get wrong: NULL is a parent. Two first inputs are a fork of the empty
 * thread, and a fork below a pruned row is one of that row; both get a line of their own to branch from.
 */
import type { CheckpointId, Namespace } from '#analysis/model/identifiers.ts';
import type { Fork } from '#analysis/model/report.ts';
import { invariant } from '#analysis/model/bug.ts';
import { collapsedRuns } from './collapse.ts';
import { takenSiblings } from './collapse-siblings.ts';
import { layLanes, lineageOrder, timeOrder, type LaneLine } from './lanes.ts';
import { picturedRow, type PicturedNamespace, type PicturedRow } from './picture.ts';

/** What stands on one line. */
export type DrawnItem =
  | { readonly kind: 'row'; readonly row: PicturedRow }
  /**
   * Rows taken together. `children` null: an unbranched run, parents first. Else so many children of one wide fork,
   * each followed by everything below it; nothing else hangs from such an item.
   */
  | { readonly kind: 'gap'; readonly rows: readonly PicturedRow[]; readonly children: number | null }
  /** A parent without a row: NULL, or an id whose row is absent. */
  | { readonly kind: 'rootless'; readonly parent: CheckpointId | null; readonly fork: Fork };

/** How lines follow each other: by time over all branches, or branch by branch. */
export type DrawingOrder = 'time' | 'lineage';

/** What is asked of a drawing. */
export interface DrawingChoice {
  readonly order: DrawingOrder;
  /** Draw every row. */
  readonly expand: boolean;
  /** Index of the row around which lines are kept; null for all lines. */
  readonly around: number | null;
  /** See `CollapseChoice`. */
  readonly notable: ReadonlySet<Namespace>;
}

/** A line with what stands on it. */
export interface DrawnLine {
  readonly lane: LaneLine;
  readonly item: DrawnItem;
}

/** A namespace laid out. */
export interface Drawing {
  readonly lines: readonly DrawnLine[];
  /** How many lanes stand side by side at most. */
  readonly lanes: number;
  /** `lineage` also where time was asked for and would have been too wide. */
  readonly order: DrawingOrder;
  /** Lines left out by `around`. */
  readonly linesBefore: number;
  readonly linesAfter: number;
}

/** More branches than these side by side are no picture any more. */
export const mostLanes = 10;
/** Lines kept above and below the row that was asked for. */
const linesAround = 12;

interface Gap {
  readonly rows: readonly number[];
  readonly children: number | null;
}

/** Lays a namespace out. *Cost*: n log n in its rows. */
export function drawNamespace(namespace: PicturedNamespace, choice: DrawingChoice): Drawing {
  const items: DrawnItem[] = [];
  const parentOf: number[] = [];
  const when: number[] = [];
  const itemOf = new Int32Array(namespace.rows.length).fill(-1);
  const add = (item: DrawnItem, parent: number, moment: number): number => {
    parentOf.push(parent);
    when.push(moment);
    return items.push(item) - 1;
  };
  const standIns = new Map<CheckpointId | null, number>();
  for (const fork of namespace.rootless) {
    standIns.set(fork.parent, add({ kind: 'rootless', parent: fork.parent, fork }, -1, -1));
  }
  const gaps = new Map<number, Gap>();
  for (const rows of collapsedRuns(namespace, choice)) gaps.set(rows[0] ?? -1, { rows, children: null });
  // A run inside a branch that is taken together as a whole gives way to it.
  for (const taken of takenSiblings(namespace, choice)) gaps.set(taken.rows[0] ?? -1, taken);
  for (const at of parentsFirst(namespace)) {
    if (itemOf[at] !== -1) continue;
    const row = picturedRow(namespace, at);
    const above = row.parent < 0 ? (standIns.get(row.row.parent) ?? -1) : (itemOf[row.parent] ?? -1);
    const gap = gaps.get(at);
    if (gap === undefined) itemOf[at] = add({ kind: 'row', row }, above, at);
    else {
      const rows = gap.rows.map((index) => picturedRow(namespace, index));
      const item = add({ kind: 'gap', rows, children: gap.children }, above, at);
      for (const index of gap.rows) itemOf[index] = item;
    }
  }
  bringDown(parentOf, when, standIns.size);
  const byTime =
    choice.order === 'time' ? layLanes(parentOf, timeOrder({ parentOf, when }), mostLanes) : null;
  const laid = byTime ?? layLanes(parentOf, lineageOrder({ parentOf, when }), Infinity);
  invariant(laid !== null, 'without a bound every order can be laid out');
  const lines = laid.map((lane): DrawnLine => {
    const item = items[lane.item];
    invariant(item !== undefined, 'lanes name items');
    return { lane, item };
  });
  const order: DrawingOrder = byTime === null ? 'lineage' : 'time';
  const wanted =
    choice.around === null ? -1 : laid.findIndex(({ item }) => item === itemOf[choice.around ?? -1]);
  const from = wanted < 0 ? 0 : Math.max(0, wanted - linesAround);
  const to = wanted < 0 ? lines.length : Math.min(lines.length, wanted + linesAround + 1);
  const kept = lines.slice(from, to);
  return { lines: kept, lanes: lanesIn(kept), order, linesBefore: from, linesAfter: lines.length - to };
}

/** Indices of rows, parents before children. */
function parentsFirst({ tree }: PicturedNamespace): number[] {
  const order = [...tree.roots, ...tree.orphans];
  const { childStart, childList } = tree;
  // Grows while it is read: breadth first.
  for (const at of order) {
    for (let place = childStart[at] ?? 0; place < (childStart[at + 1] ?? 0); place++) {
      order.push(childList[place] ?? 0);
    }
  }
  return order;
}

/** A stand-in has no time of its own: it is drawn right above its first child. */
function bringDown(parentOf: readonly number[], when: number[], standIns: number): void {
  const first = new Map<number, number>();
  parentOf.forEach((parent, item) => {
    if (parent < 0 || parent >= standIns) return;
    first.set(parent, Math.min(first.get(parent) ?? Infinity, when[item] ?? 0));
  });
  for (const [standIn, moment] of first) when[standIn] = moment - 0.5;
}

function lanesIn(lines: readonly DrawnLine[]): number {
  let most = 0;
  for (const { lane } of lines) most = Math.max(most, lane.lane + 1, (lane.passing.at(-1) ?? -1) + 1);
  return most;
}
