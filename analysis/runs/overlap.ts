/**
 * Did runs overlap? A run occupies a thread from its first read to its last stored row; two runs raced if those
 * intervals intersect, whatever their clients saw. Closed at both ends: a run that reads in the very instant in which
 * another stores may have read either state.
 */
import type { RunRecord } from '../model/run.ts';

/** True or false where both intervals are known; null when a run never read or never stored. */
export function overlap(a: RunRecord, b: RunRecord): boolean | null {
  if (a.firstReadMs === null || b.firstReadMs === null || a.lastPutMs === null || b.lastPutMs === null) return null;
  return a.firstReadMs <= b.lastPutMs && b.firstReadMs <= a.lastPutMs;
}

/** True when every pair overlaps; null when there is no pair or a pair cannot be judged and none is disjoint. */
export function allOverlap(runs: readonly RunRecord[]): boolean | null {
  let verdict: boolean | null = runs.length < 2 ? null : true;
  for (const [index, a] of runs.entries()) {
    for (const b of runs.slice(index + 1)) {
      const pair = overlap(a, b);
      if (pair === false) return false;
      if (pair === null) verdict = null;
    }
  }
  return verdict;
}
