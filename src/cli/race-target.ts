/** Races a service that runs already, and analyses what its saver stored. */
import type { Scenario } from '#trials/scenario.ts';
import { paletteFor } from '../report/style.ts';
import { exitCodeOf, exitCodes } from './exit-code.ts';
import { BadArguments } from './fail.ts';
import { SeriesProgress } from './progress.ts';
import { defaultTrials, type RaceArguments } from './race-options.ts';
import { withStopSignal } from './stop-signal.ts';
import { targetOptions } from './target-options.ts';

/** One trial at a time unless told otherwise: what else the service does is not ours to disturb. */
const defaultParallel = 1;

/** Runs the series, stores it as any other, and writes what came out. */
export async function raceTarget(argv: RaceArguments, scenario: Scenario): Promise<void> {
  if (argv.trials === 'auto') throw new BadArguments('-n auto: --target needs a number of trials');
  const options = targetOptions(argv, scenario, {
    trials: argv.trials ?? defaultTrials,
    parallel: argv.parallel ?? defaultParallel,
    scale: argv.scale ?? 1,
    seed: argv.seed,
    interval: { method: argv.interval, level: argv.level },
    out: argv.out,
  });
  const [{ runTargetSeries }, { analysedSeries }, { seriesText }] = await Promise.all([
    import('../target/target-series.ts'),
    import('../runner/analysed-series.ts'),
    import('../report/series-text.ts'),
  ]);
  const progress = new SeriesProgress(process.stderr);
  await withStopSignal(async (stop) => {
    try {
      const raced = await runTargetSeries(options, progress, stop);
      progress.phase('analysing');
      const { layout, analysed, analysis } = await analysedSeries(raced, stop);
      progress.end();
      const text =
        argv.format === 'json'
          ? JSON.stringify(analysed, null, 2)
          : seriesText(analysed, analysis, layout.folder, paletteFor(process.stdout, process.env));
      process.stdout.write(`${text}\n`);
      process.exitCode = analysis.completed === 0 ? exitCodes.unknown : exitCodeOf(analysis.summary.verdict);
    } finally {
      progress.end();
    }
  });
}
