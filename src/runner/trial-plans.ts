/**
 * In which order do the trials of several arms run? Interleaved, so that a machine that slows down in mid-series slows
 * all arms alike. Arms whose faults hit whole processes come last, for nothing else may run beside them.
 */
import type { ThreadId } from '#analysis/model/identifiers.ts';
import type { NonEmpty, Arm } from '#trials/scenario.ts';
import type { TrialPlan } from '../driver/trial-context.ts';

/** The trials of a series: those that may run side by side, then those that run alone. */
export interface TrialPlans {
  readonly together: readonly TrialPlan[];
  readonly alone: readonly TrialPlan[];
}

/** `trials` of each arm, on threads named `<series>-<number>`. */
export function trialPlans(arms: NonEmpty<Arm>, trials: number, series: string): TrialPlans {
  const ordered = Array.from({ length: trials }, () => arms).flat();
  const sorted = [
    ...ordered.filter(({ isExclusive }) => !isExclusive),
    ...ordered.filter(({ isExclusive }) => isExclusive),
  ];
  const plans = sorted.map((arm, index) => ({
    trial: index + 1,
    arm,
    thread: `${series}-${index + 1}` as ThreadId,
  }));
  return {
    together: plans.filter(({ arm }) => !arm.isExclusive),
    alone: plans.filter(({ arm }) => arm.isExclusive),
  };
}
