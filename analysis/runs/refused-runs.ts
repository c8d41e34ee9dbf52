/** Requests that a mitigation turned away. */
import type { RunRecord } from '../model/run.ts';

/**
 * Outcomes of one trial's thread: `refused`, how many requests were turned away; `refused.<request>`, a 1 for each. Run
 * tokens end in `/<request>`.
 */
export function refusedOutcomes(runs: readonly RunRecord[]): readonly (readonly [string, number])[] {
  const refused = runs.filter(({ outcome }) => outcome === 'refused');
  return [
    ['refused', refused.length],
    ...refused.map(({ run }) => [`refused.${run.slice(run.lastIndexOf('/') + 1)}`, 1] as const),
  ];
}
