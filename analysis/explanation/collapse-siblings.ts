/**
 * Which branches of a wide fork are taken together: of ten thousand children of one row a reader needs the first, the
 * last, the head's, the one that was asked for, some that stand out, and how many the others are. Easy to get wrong: a
 * child is taken together with everything below it, so it stands out for what happened anywhere in its subtree.
 */
import { headOf } from '#analysis/lineage/head.ts';
import { forkedSiblings } from '#analysis/lineage/siblings.ts';
import { isAncestor, subtree, walk, type Walk } from '#analysis/lineage/walk.ts';
import { isNotable, leastGap, nearby, type CollapseChoice } from './collapse.ts';
import type { PicturedNamespace } from './picture.ts';

/** A fork with more children than these is wide. */
export const wideFork = 16;
/** Children kept at either end. */
const ends = 3;
/** Children kept because something stands out below them, the earliest first. */
const mostNotable = 8;

/** Children of one fork that are taken together. */
export interface TakenSiblings {
  /** How many children they are. */
  readonly children: number;
  /** Indices: each child, ascending by id, followed by everything below it, parents first. */
  readonly rows: readonly number[];
}

/** What is taken together of every wide fork, none inside another. *Cost*: linear in the rows. */
export function takenSiblings(
  namespace: PicturedNamespace,
  choice: CollapseChoice,
): readonly TakenSiblings[] {
  const { tree } = namespace;
  if (choice.expand || tree.isChain) return [];
  const wide = forkedSiblings(tree).filter(({ children }) => children.length > wideFork);
  if (wide.length === 0) return [];
  const numbering = walk(tree);
  const standingOut = notableBefore(namespace, choice, numbering);
  const inside = new Uint8Array(tree.rows.length);
  const taken: TakenSiblings[] = [];
  // An outer fork comes before those below it, which may be taken together with its children.
  const entered = (at: number | undefined): number => numbering.entered[at ?? 0] ?? 0;
  for (const { children } of wide.sort((a, b) => entered(a.children[0]) - entered(b.children[0]))) {
    if (inside[children[0] ?? 0] === 1) continue;
    const kept = keptChildren(children, choice.around, headOf(tree), numbering, standingOut);
    const others = children.filter((_, place) => kept[place] === 0);
    if (others.length < leastGap) continue;
    const rows: number[] = [];
    for (const child of others) {
      for (const at of subtree(numbering, child)) {
        inside[at] = 1;
        rows.push(at);
      }
    }
    taken.push({ children: others.length, rows });
  }
  return taken;
}

/** Marks 1, by place among the siblings, every child that is drawn. */
function keptChildren(
  children: readonly number[],
  around: number | null,
  head: number,
  numbering: Walk,
  standingOut: Int32Array,
): Uint8Array {
  const kept = new Uint8Array(children.length).fill(1, 0, ends).fill(1, -ends);
  let notable = 0;
  for (const [place, child] of children.entries()) {
    if (isAncestor(numbering, child, head)) kept[place] = 1;
    if (around !== null && isAncestor(numbering, child, around)) {
      kept.fill(1, Math.max(0, place - nearby), place + nearby + 1);
    }
    const [from, to] = [numbering.entered[child] ?? 0, numbering.left[child] ?? 0];
    if (notable < mostNotable && kept[place] === 0 && standingOut[from] !== standingOut[to]) {
      kept[place] = 1;
      notable += 1;
    }
  }
  return kept;
}

/** By place in the walk: how many rows before it stand out. One entry more than there are rows. */
function notableBefore(
  namespace: PicturedNamespace,
  { notable }: CollapseChoice,
  { order }: Walk,
): Int32Array {
  const before = new Int32Array(order.length + 1);
  for (const [place, at] of order.entries()) {
    before[place + 1] = (before[place] ?? 0) + (isNotable(namespace, at, notable) ? 1 : 0);
  }
  return before;
}
