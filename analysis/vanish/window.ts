/**
 * The window in which an accepted run can vanish, as a distribution: from the answer to the first stored row. Easy to get
 * wrong: a row that was there before the answer leaves no window, and counts as zero, not as a negative one.
 */
import { medianInterval, type MedianInterval } from '../statistics/median-interval.ts';

/** Milliseconds. */
export interface WindowDistribution {
  readonly runs: number;
  /** How many had a row before they were answered. */
  readonly without: number;
  readonly mean: number;
  /** Null where the sample is too small for the level. */
  readonly median: MedianInterval | null;
  readonly p95: number;
  readonly max: number;
}

/** Of windows in milliseconds, in any order, negative where the row came first; null without any. */
export function windowDistribution(windows: readonly number[], level: number): WindowDistribution | null {
  if (windows.length === 0) return null;
  const sorted = windows.map((ms) => Math.max(0, ms)).sort((a, b) => a - b);
  return {
    runs: sorted.length,
    without: windows.filter((ms) => ms <= 0).length,
    mean: sorted.reduce((sum, ms) => sum + ms, 0) / sorted.length,
    median: medianInterval(sorted, level),
    p95: sorted[Math.ceil(sorted.length * 0.95) - 1] ?? 0,
    max: sorted.at(-1) ?? 0,
  };
}
