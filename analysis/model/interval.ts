/** Proportions with their interval. Absent, not zero, when nothing was measured. */

/** The intervals there are; the first is the default, because it never covers less than it says. */
export const intervalMethods = ['clopper-pearson', 'wilson', 'confidence-sequence'] as const;
/** One of {@link intervalMethods}. */
export type IntervalMethod = (typeof intervalMethods)[number];

/** A two-sided confidence interval of a proportion, both bounds in [0, 1]. */
export interface Interval {
  readonly lower: number;
  readonly upper: number;
  /** Confidence level, 0.95 by default. */
  readonly level: number;
  readonly method: IntervalMethod;
}

/** k of n with its interval. */
export interface Proportion {
  readonly count: number;
  readonly of: number;
  readonly interval: Interval;
}
