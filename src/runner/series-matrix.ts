/**
 * The arms of a series as matrices, one a trigger: what damage each arm let happen, against the first arm of its
 * trigger, what it costs in latency, and what that proves of the arm. Easy to get wrong: what was forced by a trigger
 * stands in a table of its own, because it says nothing about how often it happens by itself.
 */
import { matrixRows, type TriggerMatrix } from '#analysis/comparison/arm-matrix.ts';
import { armVerdict } from '#analysis/comparison/arm-verdict.ts';
import { invariant } from '#analysis/model/bug.ts';
import { pushTo } from '#analysis/model/maps.ts';
import { medianRatio } from '#analysis/statistics/median-interval.ts';
import type { SeriesSettings } from '../rundir/series-file.ts';
import type { ArmAnalysis } from './series-analysis.ts';

/** The matrices of a series; empty where it compares no anomalies or has one arm, and of a sweep, which is a curve. */
export function seriesMatrices(
  settings: SeriesSettings,
  arms: readonly ArmAnalysis[],
): readonly TriggerMatrix[] {
  if (settings.anomalies === undefined || settings.swept !== undefined || arms.length < 2) return [];
  const triggerOf = new Map(settings.compared.map(({ name, trigger }) => [name, trigger ?? null]));
  const triggers = new Map<string | null, ArmAnalysis[]>();
  for (const arm of arms) pushTo(triggers, triggerOf.get(arm.outcomes.arm) ?? null, arm);
  return [...triggers].map(([trigger, group]) => ({ trigger, arms: matrixArms(settings, group) }));
}

function matrixArms(
  { anomalies = [], compared, interval }: SeriesSettings,
  group: readonly ArmAnalysis[],
): TriggerMatrix['arms'] {
  const claims = new Map(compared.map(({ name, claim }) => [name, claim ?? null]));
  const rows = matrixRows(
    group.map(({ outcomes }) => outcomes),
    anomalies,
    interval,
  ).map((row) => ({ ...row, claim: claims.get(row.arm) ?? null }));
  const latencies = group.map(latenciesOf);
  return group.map(({ outcomes: { arm, completed, aborted, overlapped } }, index) => {
    const row = rows[index];
    invariant(row?.arm === arm, `the matrix has another row than ${arm} in place ${index}`);
    return {
      arm,
      shares: row.shares,
      completed,
      aborted,
      overlapped,
      latency: index === 0 ? null : medianRatio(latencies[index] ?? [], latencies[0] ?? [], interval.level),
      verdict: armVerdict(row, rows, interval.level),
    };
  });
}

function latenciesOf({ measures }: ArmAnalysis): readonly number[] {
  return [...measures]
    .flatMap(([key, values]) => (key.startsWith('latency.') ? values : []))
    .sort((a, b) => a - b);
}
