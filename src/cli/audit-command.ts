/** `forkscope audit <source>`: analyses stored rows, thread by thread, without a cluster. */
import type { ArgumentsCamelCase, Argv, CommandModule } from 'yargs';
import { printable } from '../report/printable.ts';
import { paletteFor } from '../report/style.ts';
import { brokenSentence, brokenThresholds } from '../audit/fail-on.ts';
import { AuditProgress } from './audit-progress.ts';
import { withCensusOptions, type CensusArguments } from './census-options.ts';
import { exitCodeHelp, exitCodeOf, exitCodes } from './exit-code.ts';
import { ledgersRequest, withLedgerOptions, type LedgerArguments } from './ledger-options.ts';
import { liveRequest, withLiveOptions, type LiveArguments } from './live-options.ts';
import {
  checkSource,
  sourcePlace,
  sourceRequest,
  withSourceOptions,
  type SourceArguments,
} from './source-options.ts';
import { listingOf, withOutputOptions, type OutputArguments } from './output-options.ts';
import {
  checkKeepGoing,
  readingRequest,
  withReadingOptions,
  type ReadingArguments,
} from './reading-options.ts';
import { withStopSignal } from './stop-signal.ts';

interface AuditArguments
  extends
    SourceArguments,
    LiveArguments,
    CensusArguments,
    LedgerArguments,
    OutputArguments,
    ReadingArguments {
  source: string;
  format: 'table' | 'json' | 'ndjson';
  anonymize: boolean;
  unknown: 'ok' | 'fail';
}

/** See the file's head. */
export const auditCommand: CommandModule<unknown, AuditArguments> = {
  command: 'audit <source>',
  describe: 'find forks, hidden and lost effects in stored rows',
  builder: (yargs: Argv): Argv<AuditArguments> =>
    withOutputOptions(
      withReadingOptions(withCensusOptions(withLiveOptions(withLedgerOptions(withSourceOptions(yargs))))),
    )
      .positional('source', {
        type: 'string',
        demandOption: true,
        describe:
          'a live database (postgres://…), a dump in any format of pg_dump, rows as JSON lines (docs/rows-format.md), a run directory such as runs/latest, or - for a dump or rows on standard input',
      })
      .option('format', {
        choices: ['table', 'json', 'ndjson'] as const,
        default: 'table' as const,
        describe: 'json is forkscope-audit/1; ndjson is one thread a line, then the totals',
        group: 'Output:',
      })
      .option('anonymize', {
        type: 'boolean',
        default: false,
        describe: 'neutral names for threads, nodes, channels and ids, so that the output can be shared',
        group: 'Output:',
      })
      .option('unknown', {
        choices: ['ok', 'fail'] as const,
        default: 'fail' as const,
        describe: 'whether threads that cannot be judged make the exit code 2 (fail) or 0 (ok)',
        group: 'Output:',
      })
      .check(({ source, effects }) => checkSource(source, effects))
      .check(({ 'keep-going': keepGoing, effects, ledger }) => checkKeepGoing(keepGoing, { effects, ledger }))
      .example('$0 audit backup.dump', 'a dump: forks, hidden executions, overwritten state')
      .example(
        '$0 audit backup.sql.gz --effects charges.csv --effects-map thread=session,node=action,time=at,key=booking',
        'joined with a log of what was done',
      )
      .example(
        '$0 audit postgres://auditor@db:5432/shop --since 24h',
        'a live database, read-only: what was active today',
      )
      .example(
        '$0 audit postgres://auditor@db:5432/shop --engine sql',
        'a very large one: only suspicious threads are read',
      )
      .example(
        '$0 audit postgres://auditor@db:5432/shop --ledger table:jobs --ledger-map run=id,created=queued_at',
        'joined with the table of jobs: which accepted runs left nothing, which are stuck',
      )
      .example(
        "pg_dump -t '*checkpoint*' $DSN | $0 audit - --rule 'plan>=charge'",
        'a dump on its way, and a rule',
      )
      .example('$0 audit runs/latest --format json | jq .totals', 'the newest series again, for a script')
      .epilogue(exitCodeHelp),
  handler,
};

async function handler(argv: ArgumentsCamelCase<AuditArguments>): Promise<void> {
  if (argv.printSql) {
    const { printSql, usualTables } = await import('../census/print-sql.ts');
    process.stdout.write(printSql(usualTables(argv.schema ?? 'public')));
    return;
  }
  const { auditSource } = await import('../audit/audit-source.ts');
  await withStopSignal(async (stop) => {
    const progress = new AuditProgress(process.stderr);
    const { reading } = readingRequest(argv);
    const note = (sentence: string): void => {
      progress.pause();
      process.stderr.write(`${printable(sentence, 2_000)}\n`);
    };
    try {
      const summary = await auditSource({
        ...sourceRequest(sourcePlace(argv.source, process.argv.slice(2)) ?? '', argv),
        ...liveRequest(argv),
        ledgers: ledgersRequest(argv),
        reading: { ...reading, onProgress: progress.read },
        engine: argv.engine ?? 'copy',
        rules: argv.rule ?? [],
        anonymize: argv.anonymize,
        format: argv.format,
        listing: listingOf(argv),
        palette: paletteFor(process.stdout, process.env),
        write: (text) => {
          progress.pause();
          process.stdout.write(text);
        },
        note,
        onAnalysed: progress.analysed,
        stop,
      });
      const broken = brokenThresholds(argv.failOn ?? [], summary);
      for (const threshold of broken) note(brokenSentence(threshold));
      process.exitCode = broken.length > 0 ? exitCodes.invalid : exitCodeOf(summary.verdict, argv.unknown);
    } finally {
      progress.end();
    }
  });
}
