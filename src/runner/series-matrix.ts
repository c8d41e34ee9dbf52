/**
 * The arms of a series as matrices, one a trigger: what damage each arm let happen, against the first arm of its
 * trigger, and what it costs in latency. Easy to get wrong: what was forced by a trigger stands in a table of its own,
 * because it says nothing about how often it happens by itself.
 */
import { matrixRows, type TriggerMatrix } from '#analysis/comparison/arm-matrix.ts';
import { medianRatio } from '#analysis/statistics/median-interval.ts';
import type { SeriesSettings } from '../rundir/series-file.ts';
import type { ArmAnalysis } from './series-analysis.ts';

/** The matrices of a series; empty where it compares no anomalies or has one arm. */
export function seriesMatrices(
  { anomalies, compared, interval }: SeriesSettings,
  arms: readonly ArmAnalysis[],
): readonly TriggerMatrix[] {
  if (anomalies === undefined || arms.length < 2) return [];
  const triggers = new Map<string | null, ArmAnalysis[]>();
  for (const arm of arms) {
    const trigger = compared.find(({ name }) => name === arm.outcomes.arm)?.trigger ?? null;
    const group = triggers.get(trigger);
    if (group === undefined) triggers.set(trigger, [arm]);
    else group.push(arm);
  }
  return [...triggers].map(([trigger, group]) => {
    const [baseline] = group;
    const rows = matrixRows(
      group.map(({ outcomes }) => outcomes),
      anomalies,
      interval,
    );
    return {
      trigger,
      arms: group.map((arm, index) => ({
        ...(rows[index] ?? { arm: arm.outcomes.arm, shares: [] }),
        completed: arm.outcomes.completed,
        aborted: arm.outcomes.aborted,
        overlapped: arm.outcomes.overlapped,
        latency:
          baseline === undefined || baseline === arm
            ? null
            : medianRatio(latenciesOf(arm), latenciesOf(baseline), interval.level),
      })),
    };
  });
}

function latenciesOf({ measures }: ArmAnalysis): readonly number[] {
  return [...measures]
    .flatMap(([key, values]) => (key.startsWith('latency.') ? values : []))
    .sort((a, b) => a - b);
}
