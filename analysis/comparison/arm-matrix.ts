/**
 * Arms against anomalies: in how many of an arm's trials did each kind of damage occur, and how does that differ from
 * the baseline under the same trigger? Easy to get wrong: an anomaly that an arm cannot show, because nothing measured
 * it there, is absent and not zero.
 */
import type { ArmSummary } from '../model/trial.ts';
import type { Proportion } from '../model/interval.ts';
import type { MedianRatio } from '../statistics/median-interval.ts';
import { proportionOf, type IntervalChoice } from '../statistics/proportion.ts';
import type { ArmVerdict } from './arm-verdict.ts';
import { compareArms, type ArmComparison } from './compare-proportions.ts';

/** A kind of damage: trials in which one of the outcomes is a number above zero. */
export interface Anomaly {
  readonly name: string;
  /** The first of these that was counted in an arm is the one that counts there. */
  readonly outcomes: readonly string[];
  /** What it means that a trial, or an arm, has none of them. */
  readonly whenAbsent: 'zero' | 'not-measured';
}

/** An arm's share of trials with an anomaly. */
export interface AnomalyShare {
  readonly anomaly: string;
  /** Null: nothing measured it in this arm. */
  readonly share: Proportion | null;
  /** Against the baseline of the same trigger; null for that baseline itself, and where one of both was not measured. */
  readonly comparison: ArmComparison | null;
}

/** One arm of the matrix. */
export interface MatrixRow {
  readonly arm: string;
  readonly shares: readonly AnomalyShare[];
}

/** One arm: its damage, and how many times as long as in the first arm its clients waited. */
export interface MatrixArm extends MatrixRow {
  readonly completed: number;
  readonly aborted: number;
  /** Trials in which the racing runs truly overlapped; null where none race. */
  readonly overlapped: { readonly count: number; readonly of: number } | null;
  /** Of requests that were served to the end, by their medians; null for the first arm and for too few requests. */
  readonly latency: MedianRatio | null;
  /** Null for an arm that claims nothing. */
  readonly verdict: ArmVerdict | null;
}

/** The arms under one trigger, its baseline first. */
export interface TriggerMatrix {
  /** Null: the scenario's own race, so shares are natural frequencies; others are forced. */
  readonly trigger: string | null;
  readonly arms: readonly MatrixArm[];
}

/** The rows of arms under one trigger, in their order; the first is the baseline. */
export function matrixRows(
  arms: readonly ArmSummary[],
  anomalies: readonly Anomaly[],
  choice: IntervalChoice,
): readonly MatrixRow[] {
  const [baseline] = arms;
  return arms.map((arm) => ({
    arm: arm.arm,
    shares: anomalies.map((anomaly) => {
      const share = shareOf(arm, anomaly, choice);
      const against = baseline === undefined || baseline === arm ? null : shareOf(baseline, anomaly, choice);
      return {
        anomaly: anomaly.name,
        share,
        comparison: share === null || against === null ? null : compareArms(against, share, choice.level),
      };
    }),
  }));
}

function shareOf(
  arm: ArmSummary,
  { outcomes, whenAbsent }: Anomaly,
  choice: IntervalChoice,
): Proportion | null {
  for (const outcome of outcomes) {
    const found = arm.outcomes.find(({ key }) => key === outcome);
    if (found === undefined) continue;
    const counted = found.values.reduce((sum, { count }) => sum + count, 0);
    const of = whenAbsent === 'zero' ? arm.completed : counted;
    const count = found.values.reduce(
      (sum, { value, count: times }) => (typeof value === 'number' && value > 0 ? sum + times : sum),
      0,
    );
    return proportionOf(count, of, choice);
  }
  return whenAbsent === 'zero' ? proportionOf(0, arm.completed, choice) : null;
}
