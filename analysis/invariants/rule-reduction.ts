/**
 * Which rules are enough to read? `plan >= notify` says nothing beside `plan >= charge` and `charge >= notify`. A rule
 * that forks cannot break is kept unless rules of that kind imply it: on a forked thread the others say nothing.
 */

/** `above[a][b]`: a runs at least as often as b. A strict order: transitive, and never both ways. */
export type CountOrder = readonly (readonly boolean[])[];

/** Pairs (a, b) of positions. */
export type Pair = readonly [greater: number, lesser: number];

/**
 * The pairs of `above` that others do not imply, `acrossForks` being the part of it that forks cannot break. Every pair
 * of either order follows from the pairs kept of that order. Cost: cubic in the nodes.
 */
export function essentialPairs(above: CountOrder, acrossForks: CountOrder): readonly Pair[] {
  const implied = (order: CountOrder, a: number, b: number): boolean =>
    order.some((_, middle) => order[a]?.[middle] === true && order[middle]?.[b] === true);
  return pairsOf(above).filter(
    ([a, b]) => !implied(acrossForks[a]?.[b] === true ? acrossForks : above, a, b),
  );
}

/** All pairs of an order, by first and then by second position. */
export function pairsOf(order: CountOrder): readonly Pair[] {
  return order.flatMap((row, a) => row.flatMap((holds, b): Pair[] => (holds ? [[a, b]] : [])));
}
