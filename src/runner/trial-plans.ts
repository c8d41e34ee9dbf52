/**
 * In which order do the trials of several arms run? Interleaved, so that a machine that slows down in mid-series slows
 * all arms alike. Arms whose faults hit whole processes come last, for nothing else may run beside them.
 */
import type { ThreadId } from '#analysis/model/identifiers.ts';
import type { NonEmpty, Arm } from '#trials/scenario.ts';
import type { TrialPlan } from '../driver/trial-context.ts';
import type { Neighbours } from './neighbours.ts';

/** The trials of a series: those that may run side by side, then those that run alone. */
export interface TrialPlans {
  readonly together: readonly TrialPlan[];
  readonly alone: readonly TrialPlan[];
}

/**
 * `trials` of each arm, on threads named `<series>-<number>`; on a pair that `neighboursFor` gives where it gives one.
 * It is asked once a trial.
 */
export function trialPlans(
  arms: NonEmpty<Arm>,
  trials: number,
  series: string,
  neighboursFor: (arm: Arm) => Neighbours | null,
): TrialPlans {
  const ordered = Array.from({ length: trials }, () => arms).flat();
  const sorted = [
    ...ordered.filter(({ isExclusive }) => !isExclusive),
    ...ordered.filter(({ isExclusive }) => isExclusive),
  ];
  const plans = sorted.map((arm, index) => {
    const [thread, neighbour] = neighboursFor(arm) ?? [`${series}-${index + 1}` as ThreadId, null];
    return { trial: index + 1, arm, thread, neighbour };
  });
  return {
    together: plans.filter(({ arm }) => !arm.isExclusive),
    alone: plans.filter(({ arm }) => arm.isExclusive),
  };
}
