/** Is one share larger than another? The difference with its interval says how much, the test how surely. */
import { fisherExact } from '../statistics/fisher-exact.ts';
import { newcombe, type Difference, type Sample } from '../statistics/newcombe.ts';

/** `other` against `baseline`. */
export interface ArmComparison {
  readonly baseline: Sample;
  readonly other: Sample;
  /** The share of `other` less that of `baseline`. */
  readonly difference: Difference;
  /** Two-sided, Fisher's exact test; not adjusted for the number of comparisons. */
  readonly pValue: number;
}

/** Compares two arms; null when one of them has no trial. */
export function compareArms(baseline: Sample, other: Sample, level: number): ArmComparison | null {
  if (baseline.of === 0 || other.of === 0) return null;
  return {
    baseline,
    other,
    difference: newcombe(other, baseline, level),
    pValue: fisherExact(other, baseline),
  };
}
