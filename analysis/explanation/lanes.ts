/**
 * The lanes of a drawing: one line per item, parents above children, branches side by side. An item keeps its lane
 * open until its last child is drawn, which goes on in it; the children before branch off to the right. So nothing but
 * a parent's line ever connects to it, and a star of thousands needs two lanes. Easy to get wrong: a child's id may
 * sort before its parent's, and time order must still draw the parent first.
 */

/** What is laid out: a forest of items, in any order. */
export interface Forest {
  /** Index of each item's parent; negative for none. */
  readonly parentOf: readonly number[];
  /** Where each item stands in time; only the order matters. */
  readonly when: readonly number[];
}

/** One line of a drawing. */
export interface LaneLine {
  readonly item: number;
  /** The item's own lane, from 0. */
  readonly lane: number;
  /** The parent's lane when the item branches off it; null when it goes on in that lane or has no parent. */
  readonly from: number | null;
  /** Other lanes that pass by, ascending, `from` included. */
  readonly passing: readonly number[];
  /** Whether the own lane comes from above, and whether it goes on below. */
  readonly above: boolean;
  readonly below: boolean;
}

/** Items from the earliest to the latest, none before its parent. *Cost*: n log n. */
export function timeOrder({ parentOf, when }: Forest): number[] {
  const { order } = parentsFirst(parentOf);
  const effective = new Float64Array(parentOf.length);
  const depth = new Int32Array(parentOf.length);
  for (const item of order) {
    const parent = parentOf[item] ?? -1;
    const own = when[item] ?? 0;
    effective[item] = parent < 0 ? own : Math.max(own, effective[parent] ?? own);
    depth[item] = parent < 0 ? 0 : (depth[parent] ?? 0) + 1;
  }
  return order.sort(
    (a, b) => (effective[a] ?? 0) - (effective[b] ?? 0) || (depth[a] ?? 0) - (depth[b] ?? 0) || a - b,
  );
}

/**
 * Items branch by branch, short branches first and the longest last: of two subtrees open at once the larger one needs
 * no lane of its own, so n items never need more than 1 + log2(n) lanes. *Cost*: n log n on siblings alone.
 */
export function lineageOrder({ parentOf, when }: Forest): number[] {
  const { order, children, tops } = parentsFirst(parentOf);
  const size = new Int32Array(parentOf.length).fill(1);
  for (const item of order.toReversed()) {
    const parent = parentOf[item] ?? -1;
    if (parent >= 0) size[parent] = (size[parent] ?? 0) + (size[item] ?? 0);
  }
  const shortFirst = (a: number, b: number): number =>
    (size[a] ?? 0) - (size[b] ?? 0) || (when[a] ?? 0) - (when[b] ?? 0) || a - b;
  const open = tops.sort((a, b) => (when[b] ?? 0) - (when[a] ?? 0) || b - a);
  const drawn: number[] = [];
  for (let item = open.pop(); item !== undefined; item = open.pop()) {
    drawn.push(item);
    for (const child of (children.get(item) ?? []).sort(shortFirst).reverse()) open.push(child);
  }
  return drawn;
}

/**
 * Gives each item of `order` its lane. Null when more than `most` lanes would stand side by side. *Cost*: linear in
 * the items times the lanes.
 */
export function layLanes(
  parentOf: readonly number[],
  order: readonly number[],
  most: number,
): LaneLine[] | null {
  const waiting = new Int32Array(parentOf.length);
  for (const parent of parentOf) if (parent >= 0) waiting[parent] = (waiting[parent] ?? 0) + 1;
  const laneOf = new Int32Array(parentOf.length);
  const taken: boolean[] = [];
  const lines: LaneLine[] = [];
  for (const item of order) {
    const parent = parentOf[item] ?? -1;
    const trunk = parent < 0 ? null : (laneOf[parent] ?? 0);
    if (parent >= 0) waiting[parent] = (waiting[parent] ?? 0) - 1;
    const goesOn = trunk !== null && waiting[parent] === 0;
    const lane = goesOn ? trunk : freeLane(taken, trunk === null ? 0 : trunk + 1);
    if (lane >= most) return null;
    laneOf[item] = lane;
    const passing: number[] = [];
    taken.forEach((isTaken, other) => {
      if (isTaken && other !== lane) passing.push(other);
    });
    const below = (waiting[item] ?? 0) > 0;
    lines.push({ item, lane, from: goesOn ? null : trunk, passing, above: goesOn, below });
    taken[lane] = below;
  }
  return lines;
}

function freeLane(taken: readonly boolean[], from: number): number {
  let lane = from;
  while (taken[lane] === true) lane += 1;
  return lane;
}

interface ParentsFirst {
  /** Every item, parents before children. */
  readonly order: number[];
  readonly children: ReadonlyMap<number, number[]>;
  readonly tops: number[];
}

function parentsFirst(parentOf: readonly number[]): ParentsFirst {
  const children = new Map<number, number[]>();
  const tops: number[] = [];
  parentOf.forEach((parent, item) => {
    if (parent < 0) tops.push(item);
    else {
      const siblings = children.get(parent);
      if (siblings === undefined) children.set(parent, [item]);
      else siblings.push(item);
    }
  });
  const order = [...tops];
  // Grows while it is read: breadth first.
  for (const item of order) for (const child of children.get(item) ?? []) order.push(child);
  return { order, children, tops: [...tops] };
}
