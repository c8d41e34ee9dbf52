/** `forkscope compare <run>…`: pools and compares stored series. */
import { realpathSync } from 'node:fs';
import type { ArgumentsCamelCase, Argv, CommandModule } from 'yargs';
import { intervalMethods, type IntervalMethod } from '#analysis/model/interval.ts';
import type { ComparedBy } from '../compare/compare-series.ts';
import { printable } from '../report/printable.ts';
import { paletteFor } from '../report/style.ts';
import { exitCodeHelp, exitCodes } from './exit-code.ts';
import { BadArguments } from './fail.ts';
import { numberBetween } from './option-value.ts';
import { withStopSignal } from './stop-signal.ts';

interface CompareArguments {
  runs: string[];
  by: ComparedBy;
  force: boolean;
  interval: IntervalMethod;
  level: number;
  format: 'table' | 'json';
}

/** See the file's head. */
export const compareCommand: CommandModule<unknown, CompareArguments> = {
  command: 'compare <runs..>',
  describe: 'pool and compare stored series',
  builder: (yargs: Argv) =>
    yargs
      .positional('runs', {
        type: 'string',
        array: true,
        demandOption: true,
        describe: 'run directories, such as runs/double-post/latest',
      })
      .option('by', {
        choices: ['arm', 'run'] as const,
        default: 'arm' as const,
        describe: 'arm: trials of one arm are pooled over the runs; run: each run stands for itself',
      })
      .option('force', {
        type: 'boolean',
        default: false,
        describe: 'pool runs although their settings or versions differ',
      })
      .option('interval', {
        choices: intervalMethods,
        default: intervalMethods[0],
        describe: 'confidence interval of a share',
      })
      .option('level', {
        type: 'number',
        default: 0.95,
        coerce: numberBetween(0.5, 0.9999, '--level'),
        describe: 'confidence level',
      })
      .option('format', {
        choices: ['table', 'json'] as const,
        default: 'table' as const,
        describe: 'what is written to stdout; json is forkscope-compare/1',
      })
      .example('$0 compare runs/double-post/*', 'the arms, pooled over all series')
      .example('$0 compare --by run runs/before runs/after', 'two series side by side')
      .epilogue(exitCodeHelp),
  handler,
};

/** The trials of a series that is named twice, also through a link such as latest, would count twice. */
function refuseTwice(runs: readonly string[]): void {
  const known = new Map<string, string>();
  for (const run of runs) {
    const folder = realpathSync(run);
    const before = known.get(folder);
    if (before !== undefined)
      throw new BadArguments(`compare: ${printable(before, 400)} and ${printable(run, 400)} are one series`);
    known.set(folder, run);
  }
}

async function handler(argv: ArgumentsCamelCase<CompareArguments>): Promise<void> {
  const [{ compareSeries, storedUnlike }, { compareJson, compareText }] = await Promise.all([
    import('../compare/compare-series.ts'),
    import('../compare/compare-text.ts'),
  ]);
  const unlike = storedUnlike(argv.runs);
  refuseTwice(argv.runs);
  if (argv.by === 'arm' && unlike.length > 0 && !argv.force) {
    const told = unlike.map(
      ({ setting, values }) => `${setting} (${values.map((value) => printable(value, 80)).join(' | ')})`,
    );
    throw new BadArguments(
      `compare: these runs are not to be pooled, they differ in ${told.join('; ')}. --by run sets them side by side, --force pools them nevertheless`,
    );
  }
  await withStopSignal(async (stop) => {
    const comparison = await compareSeries(
      argv.runs,
      argv.by,
      { method: argv.interval, level: argv.level },
      stop,
    );
    const text =
      argv.format === 'json'
        ? JSON.stringify(compareJson(comparison), null, 2)
        : compareText(comparison, paletteFor(process.stdout, process.env));
    process.stdout.write(`${text}\n`);
    process.exitCode = exitCodes.valid;
  });
}
