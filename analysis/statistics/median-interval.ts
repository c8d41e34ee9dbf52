/**
 * The median of a sample, with an interval that makes no assumption about the distribution: two order statistics.
 * *Source*: D. G. Altman, D. Machin, Statistics with Confidence (2000), chapter 5; ranks by the exact binomial sum.
 */

/** A median and its interval, in the unit of the sample. */
export interface MedianInterval {
  readonly median: number;
  readonly lower: number;
  readonly upper: number;
}

/** The middle of an ascending sample; null when it is empty. */
export function medianOf(sorted: readonly number[]): number | null {
  const middle = (sorted.length - 1) / 2;
  const [low, high] = [sorted[Math.floor(middle)], sorted[Math.ceil(middle)]];
  return low === undefined || high === undefined ? null : (low + high) / 2;
}

/** Of an ascending sample; null when it is too small for the level, or empty. */
export function medianInterval(sorted: readonly number[], level: number): MedianInterval | null {
  const n = sorted.length;
  const tail = (1 - level) / 2;
  let mass = 0.5 ** n;
  let below = 0;
  let rank = 0;
  // The largest rank with P(X < rank) <= tail, X the number of values below the median.
  while (rank < n && below + mass <= tail) {
    below += mass;
    mass *= (n - rank) / (rank + 1);
    rank += 1;
  }
  const lower = sorted[rank - 1];
  const upper = sorted[n - rank];
  if (rank === 0 || lower === undefined || upper === undefined) return null;
  const median = medianOf(sorted);
  return median === null ? null : { median, lower, upper };
}

/** A ratio of two medians and its interval. */
export interface MedianRatio {
  readonly ratio: number;
  readonly lower: number;
  readonly upper: number;
}

/**
 * How many times the median of `b` is that of `a`. Both medians are taken at half the error, so that together they keep
 * the level (Bonferroni); null where one of them has no interval or is zero.
 */
export function medianRatio(a: readonly number[], b: readonly number[], level: number): MedianRatio | null {
  const each = 1 - (1 - level) / 2;
  const ofA = medianInterval(a, each);
  const ofB = medianInterval(b, each);
  if (ofA === null || ofB === null || ofB.lower <= 0) return null;
  return { ratio: ofA.median / ofB.median, lower: ofA.lower / ofB.upper, upper: ofA.upper / ofB.lower };
}
