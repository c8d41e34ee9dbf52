/**
 * P values of several tests, adjusted so that the chance of one false alarm among them all keeps the level.
 * *Source*: S. Holm, Scandinavian Journal of Statistics 6 (1979) 65-70 (step-down).
 */

/** The adjusted values in the order of the given ones, none below its own and none above 1. */
export function holm(pValues: readonly number[]): readonly number[] {
  const order = pValues.map((p, index) => ({ p, index })).sort((a, b) => a.p - b.p);
  const adjusted = new Array<number>(pValues.length).fill(1);
  let least = 0;
  for (const [rank, { p, index }] of order.entries()) {
    least = Math.max(least, Math.min(1, (pValues.length - rank) * p));
    adjusted[index] = least;
  }
  return adjusted;
}
