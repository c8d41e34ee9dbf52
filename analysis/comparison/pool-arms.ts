/** One arm of several series as if it had been one: counts are added, and intervals made anew from the sums. */
import type { ArmSummary, OutcomeValue } from '../model/trial.ts';
import { intervalOf, type IntervalChoice } from '../statistics/proportion.ts';

/** Pools summaries of one arm; the caller has seen to it that they are alike. */
export function poolArms(
  [first, ...others]: readonly [ArmSummary, ...ArmSummary[]],
  choice: IntervalChoice,
): ArmSummary {
  const arms = [first, ...others];
  const sum = (of: (arm: ArmSummary) => number): number => arms.reduce((total, arm) => total + of(arm), 0);
  const reasons = new Map<string, number>();
  const counts = new Map<string, Map<OutcomeValue, number>>();
  for (const { abortReasons, outcomes } of arms) {
    for (const { reason, count } of abortReasons) reasons.set(reason, (reasons.get(reason) ?? 0) + count);
    for (const { key, values } of outcomes) {
      const known = counts.get(key) ?? new Map<OutcomeValue, number>();
      counts.set(key, known);
      for (const { value, count } of values) known.set(value, (known.get(value) ?? 0) + count);
    }
  }
  const overlaps = arms.flatMap(({ overlapped }) => (overlapped === null ? [] : [overlapped]));
  return {
    arm: first.arm,
    trials: sum(({ trials }) => trials),
    completed: sum(({ completed }) => completed),
    aborted: sum(({ aborted }) => aborted),
    abortReasons: [...reasons].map(([reason, count]) => ({ reason, count })),
    overlapped:
      overlaps.length === 0
        ? null
        : {
            count: overlaps.reduce((total, { count }) => total + count, 0),
            of: overlaps.reduce((total, { of }) => total + of, 0),
          },
    outcomes: [...counts].map(([key, values]) => {
      const of = [...values.values()].reduce((total, count) => total + count, 0);
      return {
        key,
        values: [...values]
          .map(([value, count]) => ({ value, count, of, interval: intervalOf(count, of, choice) }))
          .sort((a, b) => b.count - a.count),
      };
    }),
  };
}
