/** `forkscope show <source> <thread>`: draws the checkpoint tree of one thread, with what ran where and what is wrong. */
import type { ArgumentsCamelCase, Argv, CommandModule } from 'yargs';
import { printable } from '../report/printable.ts';
import { paletteFor } from '../report/style.ts';
import { exitCodeHelp, exitCodeOf, exitCodes } from './exit-code.ts';
import { integerFrom } from './option-value.ts';
import {
  checkSource,
  evidenceRequest,
  sourcePlace,
  withEvidenceOptions,
  type EvidenceArguments,
} from './source-options.ts';
import { withStopSignal } from './stop-signal.ts';

interface ShowArguments extends EvidenceArguments {
  source: string;
  thread: string;
  format: 'tree' | 'dot' | 'json';
  around: string | undefined;
  order: 'time' | 'lineage';
  expand: boolean;
  subgraphs: boolean;
  width: number | undefined;
  anonymize: boolean;
  unknown: 'ok' | 'fail';
}

/** Characters in a line where no terminal says how wide it is. */
const widthWithoutTerminal = 100;

/** See the file's head. */
export const showCommand: CommandModule<unknown, ShowArguments> = {
  command: 'show <source> <thread>',
  describe: 'draw the checkpoint tree of one thread',
  builder: (yargs: Argv): Argv<ShowArguments> =>
    withEvidenceOptions(yargs)
      .positional('source', {
        type: 'string',
        demandOption: true,
        describe:
          'a live database (postgres://…), a dump in any format of pg_dump, rows as JSON lines, a run directory, or - for a dump or rows on standard input',
      })
      .positional('thread', { type: 'string', demandOption: true, describe: 'the thread_id, whole' })
      .option('format', {
        choices: ['tree', 'dot', 'json'] as const,
        default: 'tree' as const,
        describe: 'dot is for Graphviz; json is the thread of forkscope-audit/1 with nodes and edges',
        group: 'Output:',
      })
      .option('around', {
        type: 'string',
        describe: 'draw only the lines around this checkpoint: its id, or as much of it as the drawing shows',
        group: 'Output:',
      })
      .option('order', {
        choices: ['time', 'lineage'] as const,
        default: 'time' as const,
        describe: 'time shows how branches interleave; lineage draws branch by branch',
        group: 'Output:',
      })
      .option('expand', {
        type: 'boolean',
        default: false,
        describe: 'draw every checkpoint of long unbranched runs, and tell every finding',
        group: 'Output:',
      })
      .option('subgraphs', {
        type: 'boolean',
        default: false,
        describe: 'draw the trees of subgraphs, not one line for each',
        group: 'Output:',
      })
      .option('width', {
        type: 'number',
        coerce: (value: unknown) => (value === undefined ? undefined : integerFrom(40, '--width')(value)),
        describe: `characters in a line; the terminal's, or ${widthWithoutTerminal} without one`,
        group: 'Output:',
      })
      .option('anonymize', {
        type: 'boolean',
        default: false,
        describe: 'rename threads, nodes, channels and ids, so that the output can be shared',
        group: 'Output:',
      })
      .option('unknown', {
        choices: ['ok', 'fail'] as const,
        default: 'fail' as const,
        describe: 'whether a thread that cannot be judged makes the exit code 2 (fail) or 0 (ok)',
        group: 'Output:',
      })
      .check(({ source, effects }) => checkSource(source, effects))
      .example('$0 show runs/latest double-post-1', 'the tree of one trial, with its effects')
      .example('$0 show backup.dump user-42 --format dot | dot -Tsvg > tree.svg', 'the same as a picture')
      .example(
        '$0 show backup.dump user-42 --effects charges.csv --effects-map thread=session,node=action,time=at',
        'with what a log of your own saw of each edge',
      )
      .epilogue(exitCodeHelp),
  handler,
};

async function handler(argv: ArgumentsCamelCase<ShowArguments>): Promise<void> {
  const { findThread } = await import('../show/find-thread.ts');
  const { showThread } = await import('../show/show-thread.ts');
  await withStopSignal(async (stop) => {
    const { evidence, options, log } = await findThread({
      ...evidenceRequest(sourcePlace(argv.source, process.argv.slice(2)) ?? '', argv),
      thread: argv.thread,
      schema: argv.schema ?? null,
      rules: argv.rule ?? [],
      reading: { stop },
      note,
      stop,
    });
    // It names the file and the fields of the log, which the drawing does not.
    if (log !== null && !argv.anonymize) note(log.sentence);
    const { text, verdict } = await showThread(evidence, options, {
      format: argv.format,
      order: argv.order,
      expand: argv.expand,
      subgraphs: argv.subgraphs,
      around: argv.around ?? null,
      anonymize: argv.anonymize,
      palette: paletteFor(process.stdout, process.env),
      width: argv.width ?? (process.stdout.columns > 0 ? process.stdout.columns : widthWithoutTerminal),
    });
    process.stdout.write(`${text}\n`);
    process.exitCode = verdict === 'unknown' && argv.unknown === 'ok' ? exitCodes.valid : exitCodeOf(verdict);
  });
}

function note(sentence: string): void {
  process.stderr.write(`${printable(sentence, 2_000)}\n`);
}
