/**
 * The benchmarks' command line: `npm run bench -- <name>`. Exit codes follow the product's: 0 when every bar holds,
 * 1 when one does not, 64 for bad arguments, 70 when the work itself failed. A bar is judged at full size only.
 */
import yargs from 'yargs';
import { hideBin } from 'yargs/helpers';
import { OperatorError } from '../failure/operator-error.ts';
import { benchJson, benchText, type BenchResult } from './bench-report.ts';
import { generateOptions, runGenerate } from './generate-command.ts';
import { thisMachine } from './machine.ts';
import { benchmarks } from './registry.ts';

/** Arguments that cannot be understood; yargs has the usage to show. */
class BadArguments extends Error {
  override readonly name = 'BadArguments';
}

const list = benchmarks.map(({ name, describe }) => `  ${name.padEnd(12)} ${describe}`).join('\n');

const program = yargs(hideBin(process.argv))
  .scriptName('npm run bench --')
  .usage('$0 <name> [options]\n\nMeasures one part of forkscope on this machine.')
  .command('$0 <name>', false, (command) =>
    command.positional('name', {
      type: 'string',
      choices: benchmarks.map(({ name }) => name),
      demandOption: true,
      describe: 'the benchmark to run',
    }),
  )
  .command('generate', 'write a dump whose right answers are known, and print them', generateOptions)
  .option('scale', {
    type: 'number',
    default: 1,
    describe: 'part of the full size, over 0 and at most 1; bars are judged at 1',
  })
  .option('format', { choices: ['table', 'json'] as const, default: 'table', describe: 'how to print it' })
  .check(({ scale }) => {
    if (scale > 0 && scale <= 1) return true;
    throw new BadArguments('--scale is a number over 0 and at most 1, e.g. --scale 0.01.');
  })
  .example('$0 analysis', 'at full size, against its bars')
  .example('$0 analysis --scale 0.01 --format json', 'a hundredth of it, as JSON')
  .example('$0 generate --checkpoints 90000 --out small.sql', 'a dump to try things on')
  .epilogue(
    `Benchmarks:\n${list}\n\nExit codes: 0 bars hold, 1 a bar does not, 64 bad arguments, 70 failure.`,
  )
  .strict()
  .version(false)
  .alias('h', 'help')
  .wrap(110)
  .fail((message, error, parser) => {
    parser.showHelp((text) => process.stderr.write(`${text}\n\n`));
    throw new BadArguments(message || error.message);
  });

/** The process's exit code. */
async function main(): Promise<number> {
  const argv = await program.parseAsync();
  if (argv._[0] === 'generate') {
    await runGenerate(argv);
    return 0;
  }
  const { name, scale, format } = argv;
  const entry = benchmarks.find((known) => known.name === name);
  if (entry === undefined) throw new BadArguments(`${String(name)} is no benchmark.`);
  const benchmark = await entry.load();
  const measures = await benchmark.run(scale);
  const result: BenchResult = {
    format: 'forkscope-bench/1',
    benchmark: entry.name,
    scale,
    machine: thisMachine(),
    measures,
  };
  process.stdout.write(`${format === 'json' ? benchJson(result) : benchText(result)}\n`);
  return measures.some(({ holds }) => holds === false) ? 1 : 0;
}

try {
  process.exitCode = await main();
} catch (error) {
  const told = error instanceof BadArguments || error instanceof OperatorError;
  process.stderr.write(
    `${told ? error.message : error instanceof Error ? (error.stack ?? '') : String(error)}\n`,
  );
  process.exitCode = error instanceof BadArguments ? 64 : 70;
}
