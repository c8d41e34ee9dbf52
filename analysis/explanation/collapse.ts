/**
 * Which rows of a namespace are drawn one by one and which are taken together: an unbranched run in which nothing
 * happens but ordinary supersteps becomes one item. Easy to get wrong: a row is worth its line for what hangs on it
 * (a forked subgraph, an effect that no edge commits) as much as for its place in the tree.
 */
import { branches } from '#analysis/lineage/walk.ts';
import { childCount, noParent } from '#analysis/lineage/tree.ts';
import type { Namespace } from '#analysis/model/identifiers.ts';
import type { PicturedNamespace, PicturedRow } from './picture.ts';

/** Rows kept on either side of a row worth its line. */
const context = 2;
/** Fewer rows than these are not worth taking together. */
export const leastGap = 6;
/** Rows, or siblings, kept on either side of the row that was asked for. */
export const nearby = 8;

/** What decides which rows are taken together. */
export interface CollapseChoice {
  /** Draw every row. */
  readonly expand: boolean;
  /** Index of the row that was asked for, whose neighbours are drawn one by one; null for none. */
  readonly around: number | null;
  /** Namespaces that a reader must not overlook: rows on which they hang are drawn. */
  readonly notable: ReadonlySet<Namespace>;
}

/** Runs of rows to be taken together, each parents first, at least {@link leastGap} long. *Cost*: linear. */
export function collapsedRuns(
  namespace: PicturedNamespace,
  choice: CollapseChoice,
): readonly (readonly number[])[] {
  if (choice.expand) return [];
  const gaps: number[][] = [];
  for (const { rows } of branches(namespace.tree)) {
    const isKept = new Uint8Array(rows.length);
    rows.forEach((at, place) => {
      const isEnd = place === 0 || place === rows.length - 1;
      const reach =
        at === choice.around ? nearby : isEnd || isNotable(namespace, at, choice.notable) ? context : -1;
      isKept.fill(1, Math.max(0, place - reach), reach < 0 ? 0 : place + reach + 1);
    });
    let gap: number[] = [];
    for (const [place, at] of rows.entries()) {
      if (isKept[place] === 0) gap.push(at);
      if (isKept[place] === 0 && place < rows.length - 1) continue;
      if (gap.length >= leastGap) gaps.push(gap);
      gap = [];
    }
  }
  return gaps;
}

/** Whether a row is worth a line of its own for what it is or for what hangs on it. */
export function isNotable(
  namespace: PicturedNamespace,
  at: number,
  notable: ReadonlySet<Namespace>,
): boolean {
  const row = namespace.rows[at];
  if (row === undefined) return false;
  return (
    row.isHead ||
    row.fork !== null ||
    row.misread !== null ||
    row.adrift.length > 0 ||
    row.waiting.length > 0 ||
    (row.edge.incomplete !== null && row.parent !== noParent) ||
    isUnusual(row) ||
    childCount(namespace.tree, at) > 1 ||
    (namespace.hanging.get(at) ?? []).some((hanging) => notable.has(hanging.namespace))
  );
}

/** Written by hand (an update, a copy), or out of step with its parent. */
function isUnusual({ row, edge }: PicturedRow): boolean {
  return (
    row.source === 'update' || row.source === 'fork' || row.source === 'other' || edge.kind === 'anomalous'
  );
}
