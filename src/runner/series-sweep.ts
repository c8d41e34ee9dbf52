/**
 * A series as a sweep: the arms it runs, one a gap, and the curve it comes to. Gaps may be asked for in lengths of a run;
 * that length is measured by a short series of its own, whose run directory stays.
 */
import { join } from 'node:path';
import { invariant } from '#analysis/model/bug.ts';
import type { OutcomeQuestion } from '#analysis/statistics/outcome-share.ts';
import { medianOf } from '#analysis/statistics/median-interval.ts';
import { sweepCurve, type SweepPoint } from '#analysis/sweep/curve.ts';
import { runLength } from '#analysis/sweep/racer-times.ts';
import { gapArm, gapName, undisturbedArm, type SweptRace } from '#trials/sweep.ts';
import { OperatorError } from '../failure/operator-error.ts';
import type { SeriesSettings, SweptSettings } from '../rundir/series-file.ts';
import { openRunDirectory } from '../source/run-directory.ts';
import type { ArmAnalysis } from './series-analysis.ts';
import type { SeriesOptions, SeriesWatcher } from './series-options.ts';
import { runSeries } from './series.ts';
import { requireOutcome } from './stopping.ts';

/** Runs that a length is the median of; it places the gaps and is no result. */
const lengthTrials = 10;

/** How long a run takes. */
export type RunLength = NonNullable<SweptSettings['run']>;

/** The options with an arm for each gap. */
export function sweptSeries(
  options: SeriesOptions,
  { arm, racers }: SweptRace,
  gapsMs: readonly number[],
  { outcome, value }: OutcomeQuestion,
  run: RunLength | null,
): SeriesOptions {
  const [first, ...others] = gapsMs.map((gapMs) => gapArm(options.scenario, arm, gapMs, options.scale));
  invariant(first !== undefined, 'a sweep has a gap');
  return {
    ...options,
    arms: [first, ...others],
    swept: { arm: arm.name, racers: [...racers], gapsMs: [...gapsMs], outcome, value, run },
  };
}

/** Measures the first racer's run when it is alone. *Fails* as a series does, and with OperatorError without any run. */
export async function measureRunLength(
  options: SeriesOptions,
  { arm, racers: [racer = ''] }: SweptRace,
  watcher: SeriesWatcher,
  stop: AbortSignal,
): Promise<RunLength> {
  const alone: SeriesOptions = {
    ...options,
    arms: [undisturbedArm(options.scenario, arm)],
    trials: lengthTrials,
    // In the sweep gaps pass one after another too, so a racer has the machine about to itself.
    parallel: 1,
    out: join(options.out, 'run-length'),
  };
  return runSeries(alone, watcher, stop, async ({ layout: { folder } }) => {
    const { trials, runs } = await openRunDirectory(folder);
    const lengths = [...trials.values()]
      .filter(({ abortReason }) => abortReason === null)
      .flatMap(({ thread }) => runLength(racer, runs.get(thread) ?? []) ?? []);
    const medianMs = medianOf(lengths.toSorted((a, b) => a - b));
    if (medianMs !== null) return { medianMs, of: lengths.length, folder };
    throw new OperatorError({
      happened: `no run of ${racer} could be measured, so nobody knows what gaps are meant`,
      place: folder,
      remedy: 'Give the gaps in milliseconds, such as gap=0..2000/50.',
    });
  });
}

/** The curve of a series; null where it is no sweep. *Fails* with OperatorError for an outcome that no trial has. */
export function seriesSweep(
  { swept, interval }: SeriesSettings,
  arms: readonly ArmAnalysis[],
): readonly SweepPoint[] | null {
  if (swept === undefined) return null;
  requireOutcome(
    swept.outcome,
    arms.map(({ outcomes }) => outcomes),
  );
  const byName = new Map(arms.map((arm) => [arm.outcomes.arm, arm]));
  const gaps = swept.gapsMs.map((gapMs) => {
    const arm = byName.get(gapName(gapMs));
    invariant(arm !== undefined, `the series has no arm ${gapName(gapMs)}`);
    return { gapMs, summary: arm.outcomes, readGapsMs: arm.readGapsMs };
  });
  return sweepCurve(gaps, swept, interval);
}
