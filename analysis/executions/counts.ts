/** Node counts: Maps, because a node may be named `__proto__`. */
import type { NodeName } from '#analysis/model/identifiers.ts';
import type { NodeCounts } from '#analysis/model/report.ts';

/** A count under construction. */
export type MutableCounts = Map<NodeName, number>;

/** No node ran. */
export const noCounts: NodeCounts = new Map();

/** Adds each occurrence of a node in `nodes`. */
export function addNodes(into: MutableCounts, nodes: readonly NodeName[]): void {
  for (const node of nodes) into.set(node, (into.get(node) ?? 0) + 1);
}

/** Adds all counts of `counts`. */
export function addCounts(into: MutableCounts, counts: NodeCounts): void {
  for (const [node, count] of counts) into.set(node, (into.get(node) ?? 0) + count);
}

/** `left - right`, with only what is left over; a node that `right` has more of is absent. */
export function surplus(left: NodeCounts, right: NodeCounts): NodeCounts {
  const rest: MutableCounts = new Map();
  for (const [node, count] of left) {
    const more = count - (right.get(node) ?? 0);
    if (more > 0) rest.set(node, more);
  }
  return rest;
}

/** The sum of all counts. */
export function total(counts: NodeCounts): number {
  let sum = 0;
  for (const count of counts.values()) sum += count;
  return sum;
}

/** Counts as a list, by name: for a finding's details, where a record keyed by nodes could not be renamed. */
export function countList(
  counts: NodeCounts,
): readonly { readonly node: NodeName; readonly count: number }[] {
  return [...counts].sort((a, b) => (a[0] < b[0] ? -1 : 1)).map(([node, count]) => ({ node, count }));
}

/** `2 charge, 1 plan`: greatest first, then by name. */
export function countsText(counts: NodeCounts): string {
  return [...counts]
    .sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1))
    .map(([node, count]) => `${count} ${node}`)
    .join(', ');
}
