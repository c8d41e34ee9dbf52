/** `forkscope race [scenario]`: runs a series on real workers and a real Postgres, and shows what came out. */
import type { ArgumentsCamelCase, CommandModule } from 'yargs';
import type { OutcomeQuestion } from '#analysis/statistics/outcome-share.ts';
import { durabilities, type Arm, type NonEmpty, type Scenario } from '#trials/scenario.ts';
import type { SweptRace } from '#trials/sweep.ts';
import { scenarioNamed } from '#trials/scenarios/registry.ts';
import { paletteFor } from '../report/style.ts';
import { experimentNamed } from '../experiments/registry.ts';
import type { SeriesOptions } from '../runner/series-options.ts';
import type { Experiment } from '../experiments/experiment.ts';
import { runnableArms } from '../services/runnable-arms.ts';
import { exitCodeOf, exitCodes } from './exit-code.ts';
import { BadArguments } from './fail.ts';
import { chosenArms, chosenExperimentArms, chosenSweep } from './chosen-arms.ts';
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
import { gapsFor, requireSweepable, type GapRange } from './sweep-options.ts';
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
  if (argv.sweep !== undefined) requireSweepable(argv);
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
  if (argv.sweep !== undefined)
    throw new BadArguments(`--sweep: ${experiment.name} races no requests, so there is no gap to sweep.`);
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

function questionOf(until: string): OutcomeQuestion {
  const [outcome = '', ...value] = until.split('=');
  return { outcome, value: value.length === 0 ? null : value.join('=') };
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
  const race = argv.sweep === undefined ? null : chosenSweep(scenario, argv.arms);
  const asked = race === null ? chosenArms(scenario, argv.arms) : ([race.arm] as const);
  const { arms, leftOut } = runnableArms(asked);
  const options = seriesOptions(argv, scenario, arms);
  const [{ runSeries }, { analysedSeries }, { seriesText }] = await Promise.all([
    import('../runner/series.ts'),
    import('../runner/analysed-series.ts'),
    import('../report/series-text.ts'),
  ]);
  const progress = new SeriesProgress(process.stderr);
  if (leftOut !== null) progress.warn(leftOut);
  if (scenario.racing.length > 1 && options.workers === 1 && !argv.sameWorker) {
    progress.warn('one worker cannot serve racing requests on different workers; use --workers 2 or more');
  }
  await withStopSignal(async (stop) => {
    try {
      const planned =
        argv.sweep === undefined || race === null
          ? options
          : await sweepOptions(options, race, argv.sweep, questionOf(argv.until), progress, stop);
      const { layout, analysed, analysis } = await runSeries(planned, progress, stop, (raced) => {
        progress.phase('analysing');
        return analysedSeries(raced, stop);
      });
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

function seriesOptions(argv: RaceArguments, scenario: Scenario, arms: NonEmpty<Arm>): SeriesOptions {
  const isAuto = argv.trials === 'auto';
  return {
    scenario,
    arms,
    swept: null,
    trials: argv.trials === 'auto' ? argv.max : (argv.trials ?? defaultTrials),
    stopping: isAuto ? { ...questionOf(argv.until), width: argv.width } : null,
    parallel: argv.parallel ?? defaultParallel,
    workers: argv.workers ?? defaultWorkers,
    durability: argv.durability ?? durabilities[0],
    scale: argv.scale ?? defaultScale,
    sameWorker: argv['same-worker'],
    seed: argv.seed,
    interval: { method: isAuto ? 'confidence-sequence' : argv.interval, level: argv.level },
    out: argv.out,
    db: argv.db ?? null,
    keepDb: argv['keep-db'],
    port: argv.port,
  };
}

/** The options of a sweep; measures first how long a run takes where gaps are asked for in such lengths. */
async function sweepOptions(
  options: SeriesOptions,
  race: SweptRace,
  { unit, gaps }: GapRange,
  question: OutcomeQuestion,
  progress: SeriesProgress,
  stop: AbortSignal,
): Promise<SeriesOptions> {
  const { measureRunLength, sweptSeries } = await import('../runner/series-sweep.ts');
  if (unit === 'ms') return sweptSeries(options, race, gaps, question, null);
  progress.phase('measuring how long a run takes');
  const run = await measureRunLength(options, race, progress, stop);
  progress.end();
  return sweptSeries(options, race, gapsFor(gaps, run.medianMs), question, run);
}
