/** What `forkscope race` can be told: its options with their defaults, limits and examples. */
import type { Argv } from 'yargs';
import { durabilities, type Durability } from '#trials/scenario.ts';
import { scenarios } from '#trials/scenarios/registry.ts';
import { intervalMethods, type IntervalMethod } from '#analysis/model/interval.ts';
import { exitCodeHelp } from './exit-code.ts';
import { BadArguments } from './fail.ts';
import { integerFrom, numberBetween } from './option-value.ts';
import { gapRange, type GapRange } from './sweep-options.ts';
import { withTargetOptions, type TargetArguments } from './target-options.ts';
import { scenarioWord } from '../scenario-file/scenario-word.ts';

/** The options as parsed; undefined where an experiment has a default of its own. */
export interface RaceArguments extends TargetArguments {
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
  parallel: number | undefined;
  workers: number | undefined;
  sweep: GapRange | undefined;
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
export const defaultParallel = 16;
export const defaultTrials = 100;
export const defaultWorkers = 4;
export const defaultScale = 0.1;

/** Declares the options of the command. */
export function raceOptions(yargs: Argv): Argv<RaceArguments> {
  return withTargetOptions(yargs)
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
    .option('sweep', {
      type: 'string',
      requiresArg: true,
      coerce: sweepFrom,
      describe:
        'release racers further and further apart: gap=0..2000/50 in real ms, or gap=0..1.5x/10 in lengths of a run',
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
      defaultDescription: `${defaultParallel}; 1 with --target`,
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
        '-n auto, --sweep: the outcome whose share is asked for: above zero, or a value as in class=double-input',
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
    .example('$0 race double-post --sweep gap=0..1.5x/10 -n 50', 'how far apart is far enough')
    .example('$0 race --plan --rate 0.01', 'how many trials that would be')
    .example('$0 race vanish --starts-per-hour 3600', 'what is left of accepted runs when a worker ends')
    .example('$0 race double-post --arms all -n 300', 'remedies, and the mutants that break them')
    .example(
      '$0 race --target http://h1/runs --target http://h2/runs --db DSN --effects e.jsonl',
      'a running service, whose database is only read',
    )
    .example(
      '$0 race ./my-scenario.ts',
      'a graph of your own; forkscope trials --init writes one to begin with',
    )
    .epilogue(exitCodeHelp);
}

function trialsFrom(value: unknown): number | 'auto' | undefined {
  if (value === undefined) return undefined;
  return value === 'auto' ? value : integerFrom(1, '--trials')(Number(value));
}

function sweepFrom(value: unknown): GapRange | undefined {
  if (value === undefined) return undefined;
  if (typeof value !== 'string') throw new BadArguments('--sweep: a series sweeps one range of gaps.');
  return gapRange(value);
}
