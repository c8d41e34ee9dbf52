/** `forkscope race [scenario]`: runs a series on real workers and a real Postgres, and shows what came out. */
import type { ArgumentsCamelCase, CommandModule } from 'yargs';
import { durabilities, type Scenario } from '#trials/scenario.ts';
import { scenarioNamed } from '#trials/scenarios/registry.ts';
import { paletteFor } from '../report/style.ts';
import { experimentNamed } from '../experiments/registry.ts';
import type { Stopping } from '../runner/stopping.ts';
import type { Experiment } from '../experiments/experiment.ts';
import { exitCodeOf, exitCodes } from './exit-code.ts';
import { BadArguments } from './fail.ts';
import { chosenArms, chosenExperimentArms } from './chosen-arms.ts';
import { raceTarget } from './race-target.ts';
import {
  defaultParallel,
  defaultScale,
  defaultTrials,
  defaultWorkers,
  raceOptions,
  type RaceArguments,
} from './race-options.ts';
import { planText, racePlan } from './race-plan.ts';
import { SeriesProgress } from './progress.ts';
import { withStopSignal } from './stop-signal.ts';

/** See the file's head. */
export const raceCommand: CommandModule<unknown, RaceArguments> = {
  command: 'race [scenario]',
  describe: 'race concurrent requests against one thread, n times',
  builder: raceOptions,
  handler,
};

async function handler(argv: ArgumentsCamelCase<RaceArguments>): Promise<void> {
  if (argv.plan) {
    const plan = racePlan(argv);
    const palette = paletteFor(process.stdout, process.env);
    const text = argv.format === 'json' ? JSON.stringify(plan, null, 2) : planText(plan.lines, palette);
    process.stdout.write(`${text}\n`);
    return;
  }
  const experiment = experimentNamed(argv.scenario);
  if (experiment !== null && argv.target !== undefined)
    throw new BadArguments(`--target: ${experiment.name} needs processes of our own`);
  if (experiment === null) await raceScenario(argv);
  else await runExperiment(experiment, argv);
}

async function runExperiment(experiment: Experiment, argv: ArgumentsCamelCase<RaceArguments>): Promise<void> {
  const arms = chosenExperimentArms(experiment, argv.arms);
  const { trials } = argv;
  if (trials === 'auto') throw new BadArguments(`-n auto: ${experiment.name} needs a number of trials`);
  const run = await experiment.load();
  const progress = new SeriesProgress(process.stderr);
  await withStopSignal(async (stop) => {
    try {
      const result = await run(
        {
          trials: trials ?? null,
          arms,
          durability: argv.durability ?? null,
          workers: argv.workers ?? null,
          scale: argv.scale ?? null,
          seed: argv.seed,
          interval: { method: argv.interval, level: argv.level },
          out: argv.out,
          db: argv.db ?? null,
          keepDb: argv.keepDb,
          startsPerHour: argv.startsPerHour ?? null,
          palette: paletteFor(process.stdout, process.env),
        },
        progress,
        stop,
      );
      progress.end();
      const text = argv.format === 'json' ? JSON.stringify(result.json, null, 2) : result.text;
      process.stdout.write(`${text}\n`);
      process.exitCode = result.exitCode;
    } finally {
      progress.end();
    }
  });
}

function stoppingOf({ until, width }: RaceArguments): Stopping {
  const [outcome = '', ...value] = until.split('=');
  return { outcome, value: value.length === 0 ? null : value.join('='), width };
}

async function chosenScenario(word: string): Promise<Scenario> {
  const known = scenarioNamed(word);
  if (known !== null) return known;
  const { loadScenarioFile } = await import('../scenario-file/load-scenario.ts');
  return loadScenarioFile(word);
}

async function raceScenario(argv: ArgumentsCamelCase<RaceArguments>): Promise<void> {
  const scenario = await chosenScenario(argv.scenario);
  if (argv.target !== undefined) {
    await raceTarget(argv, scenario);
    return;
  }
  const arms = chosenArms(scenario, argv.arms);
  const [{ runSeries }, { analyseSeries }, { writeSeriesFile }, { seriesText }, { seriesMatrices }] =
    await Promise.all([
      import('../runner/series.ts'),
      import('../runner/series-analysis.ts'),
      import('../rundir/series-file.ts'),
      import('../report/series-text.ts'),
      import('../runner/series-matrix.ts'),
    ]);
  const progress = new SeriesProgress(process.stderr);
  const workers = argv.workers ?? defaultWorkers;
  if (scenario.racing.length > 1 && workers === 1 && !argv.sameWorker) {
    progress.warn('one worker cannot serve racing requests on different workers; use --workers 2 or more');
  }
  await withStopSignal(async (stop) => {
    try {
      const { layout, analysed, analysis } = await runSeries(
        {
          scenario,
          arms,
          trials: argv.trials === 'auto' ? argv.max : (argv.trials ?? defaultTrials),
          stopping: argv.trials === 'auto' ? stoppingOf(argv) : null,
          parallel: argv.parallel ?? defaultParallel,
          workers,
          durability: argv.durability ?? durabilities[0],
          scale: argv.scale ?? defaultScale,
          sameWorker: argv.sameWorker,
          seed: argv.seed,
          interval: {
            method: argv.trials === 'auto' ? 'confidence-sequence' : argv.interval,
            level: argv.level,
          },
          out: argv.out,
          db: argv.db ?? null,
          keepDb: argv.keepDb,
          port: argv.port,
        },
        progress,
        stop,
        async ({ layout, series }) => {
          progress.phase('analysing');
          const analysis = await analyseSeries(layout.folder, series, stop);
          const matrices = seriesMatrices(series, analysis.arms);
          const analysed = {
            ...series,
            phase: 'analysed' as const,
            arms: analysis.arms.map(({ outcomes }) => outcomes),
            ...(matrices.length === 0 ? {} : { matrices }),
          };
          writeSeriesFile(layout, analysed);
          return { layout, analysed, analysis };
        },
      );
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
