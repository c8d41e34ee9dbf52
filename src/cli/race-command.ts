/** `forkscope race [scenario]`: runs a series on real workers and a real Postgres, and shows what came out. */
import type { ArgumentsCamelCase, Argv, CommandModule } from 'yargs';
import { durabilities, type Durability, type Scenario } from '#trials/scenario.ts';
import { scenarioNamed, scenarios } from '#trials/scenarios/registry.ts';
import { intervalMethods, type IntervalMethod } from '#analysis/model/interval.ts';
import { paletteFor } from '../report/style.ts';
import { experimentNamed } from '../experiments/registry.ts';
import type { Stopping } from '../runner/stopping.ts';
import type { Experiment } from '../experiments/experiment.ts';
import { exitCodeHelp, exitCodeOf, exitCodes } from './exit-code.ts';
import { BadArguments } from './fail.ts';
import { chosenArms, chosenExperimentArms } from './chosen-arms.ts';
import { integerFrom, numberBetween } from './option-value.ts';
import { planText, racePlan } from './race-plan.ts';
import { scenarioWord } from '../scenario-file/scenario-word.ts';
import { SeriesProgress } from './progress.ts';
import { withStopSignal } from './stop-signal.ts';

interface RaceArguments {
  scenario: string;
  arms: string | undefined;
  trials: number | 'auto' | undefined;
  width: number;
  max: number;
  until: string;
  plan: boolean;
  rate: number;
  difference: number;
  power: number;
  parallel: number;
  workers: number | undefined;
  durability: Durability | undefined;
  scale: number | undefined;
  'starts-per-hour': number | undefined;
  'same-worker': boolean;
  seed: number;
  interval: IntervalMethod;
  level: number;
  out: string;
  db: string | undefined;
  'keep-db': boolean;
  port: number;
  format: 'table' | 'json';
}

/** Trials in flight unless told otherwise; measured to give the distribution that one at a time gives. */
const defaultParallel = 16;
const defaultTrials = 100;
const defaultWorkers = 4;
const defaultScale = 0.1;

/** See the file's head. */
export const raceCommand: CommandModule<unknown, RaceArguments> = {
  command: 'race [scenario]',
  describe: 'race concurrent requests against one thread, n times',
  builder,
  handler,
};

function builder(yargs: Argv): Argv<RaceArguments> {
  return yargs
    .positional('scenario', {
      type: 'string',
      default: scenarios[0].name,
      coerce: scenarioWord,
      describe: 'what is raced: a name that forkscope trials lists, or a file such as ./my-scenario.ts',
    })
    .option('trials', {
      alias: 'n',
      type: 'string',
      requiresArg: true,
      defaultDescription: `${defaultTrials}; an experiment's own`,
      coerce: trialsFrom,
      describe: 'number of trials of each arm, each on a thread of its own; auto: until --width is reached',
      group: 'Race:',
    })
    .option('arms', {
      type: 'string',
      requiresArg: true,
      defaultDescription: 'what the scenario says',
      describe: 'variants to compare, such as none,lock-wait, or all; forkscope trials lists them',
      group: 'Race:',
    })
    .option('durability', {
      choices: durabilities,
      defaultDescription: `${durabilities[0]}; an experiment's own`,
      describe: 'when LangGraph saves: each superstep without waiting, each and wait, or once at exit',
      group: 'Race:',
    })
    .option('scale', {
      type: 'number',
      defaultDescription: `${defaultScale}; an experiment's own`,
      coerce: numberBetween(0.001, 100, '--scale'),
      describe:
        "multiplies the graph's delays (1: plan 300 ms, charge 300 ms, notify 1500 ms, finish 500 ms)",
      group: 'Race:',
    })
    .option('seed', {
      type: 'number',
      default: 1,
      coerce: integerFrom(0, '--seed'),
      describe: 'chooses which worker serves which request',
      group: 'Race:',
    })
    .option('starts-per-hour', {
      type: 'number',
      coerce: numberBetween(0, 1e9, '--starts-per-hour'),
      describe: 'vanish: runs that start an hour, to tell how many a deploy loses',
      group: 'Race:',
    })
    .option('workers', {
      type: 'number',
      defaultDescription: `${defaultWorkers}; an experiment's own`,
      coerce: integerFrom(1, '--workers'),
      describe: 'HTTP worker processes',
      group: 'Cluster:',
    })
    .option('parallel', {
      type: 'number',
      default: defaultParallel,
      coerce: integerFrom(1, '--parallel'),
      describe: 'trials in flight at once',
      group: 'Cluster:',
    })
    .option('same-worker', {
      type: 'boolean',
      default: false,
      describe: 'control: all requests of a stage go to one worker',
      group: 'Cluster:',
    })
    .option('port', {
      type: 'number',
      default: 0,
      coerce: integerFrom(0, '--port'),
      describe: 'port that all workers share on 127.0.0.1; 0 chooses a free one',
      group: 'Cluster:',
    })
    .option('db', {
      type: 'string',
      default: process.env['FORKSCOPE_DB'],
      defaultDescription: 'FORKSCOPE_DB, else an embedded server',
      describe: 'an existing Postgres; the series gets a schema of its own there',
      group: 'Database:',
    })
    .option('keep-db', {
      type: 'boolean',
      default: false,
      describe: 'leave the schema on the --db server at the end',
      group: 'Database:',
    })
    .option('width', {
      type: 'number',
      default: 0.1,
      coerce: numberBetween(0.001, 0.999, '--width'),
      describe: '-n auto: how wide the interval of the share may be; --plan: the same',
      group: 'Statistics:',
    })
    .option('until', {
      type: 'string',
      default: 'undeclaredForks',
      requiresArg: true,
      describe:
        '-n auto: the outcome whose share is asked for: above zero, or a value as in class=double-input',
      group: 'Statistics:',
    })
    .option('max', {
      type: 'number',
      default: 2000,
      coerce: integerFrom(1, '--max'),
      describe: '-n auto: the most trials of each arm',
      group: 'Statistics:',
    })
    .option('plan', {
      type: 'boolean',
      default: false,
      describe: 'run nothing; say how many trials answer --rate, --width and --difference',
      group: 'Statistics:',
    })
    .option('rate', {
      type: 'number',
      default: 0.05,
      coerce: numberBetween(0, 1, '--rate'),
      describe: '--plan: the share that is expected',
      group: 'Statistics:',
    })
    .option('difference', {
      type: 'number',
      default: 0.1,
      coerce: numberBetween(0.001, 1, '--difference'),
      describe: '--plan: by how much the share of another arm would be larger',
      group: 'Statistics:',
    })
    .option('power', {
      type: 'number',
      default: 0.8,
      coerce: numberBetween(0.5, 0.999, '--power'),
      describe: '--plan: how surely such a difference is to be found',
      group: 'Statistics:',
    })
    .option('interval', {
      choices: intervalMethods,
      default: intervalMethods[0],
      describe: 'confidence interval of a share; -n auto always takes confidence-sequence',
      group: 'Statistics:',
    })
    .option('level', {
      type: 'number',
      default: 0.95,
      coerce: numberBetween(0.5, 0.9999, '--level'),
      describe: 'confidence level',
      group: 'Statistics:',
    })
    .option('out', {
      type: 'string',
      default: 'runs',
      describe: 'folder for run directories',
      group: 'Output:',
    })
    .option('format', {
      choices: ['table', 'json'] as const,
      default: 'table' as const,
      describe: 'what is written to stdout; json is forkscope-series/1',
      group: 'Output:',
    })
    .example('$0 race', 'two posts at once after a client has left, 100 trials')
    .example('$0 race fresh-thread -n 400 --durability sync', 'two first posts at once, saved synchronously')
    .example('$0 race -n auto --width 0.05', 'as many trials as the interval needs')
    .example('$0 race --plan --rate 0.01', 'how many trials that would be')
    .example('$0 race vanish --starts-per-hour 3600', 'what is left of accepted runs when a worker ends')
    .example('$0 race double-post --arms all -n 300', 'remedies, and the mutants that break them')
    .example(
      '$0 race ./my-scenario.ts',
      'a graph of your own; forkscope trials --init writes one to begin with',
    )
    .epilogue(exitCodeHelp);
}

async function handler(argv: ArgumentsCamelCase<RaceArguments>): Promise<void> {
  if (argv.plan) {
    const plan = racePlan(argv);
    const palette = paletteFor(process.stdout, process.env);
    const text = argv.format === 'json' ? JSON.stringify(plan, null, 2) : planText(plan.lines, palette);
    process.stdout.write(`${text}\n`);
    return;
  }
  const experiment = experimentNamed(argv.scenario);
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

function trialsFrom(value: unknown): number | 'auto' | undefined {
  if (value === undefined) return undefined;
  return value === 'auto' ? value : integerFrom(1, '--trials')(Number(value));
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
          parallel: argv.parallel,
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
