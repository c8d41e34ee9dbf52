/** `forkscope audit <run directory>`: analyses stored rows again, thread by thread, without a cluster. */
import type { ArgumentsCamelCase, Argv, CommandModule } from 'yargs';
import { paletteFor } from '../report/style.ts';
import { exitCodeHelp, exitCodeOf, exitCodes } from './exit-code.ts';
import { withStopSignal } from './stop-signal.ts';

interface AuditArguments {
  source: string;
  format: 'table' | 'json' | 'ndjson';
  'all-threads': boolean;
  unknown: 'ok' | 'fail';
}

/** See the file's head. */
export const auditCommand: CommandModule<unknown, AuditArguments> = {
  command: 'audit <source>',
  describe: 'find forks, hidden and lost effects in stored rows',
  builder: (yargs: Argv): Argv<AuditArguments> =>
    yargs
      .positional('source', {
        type: 'string',
        demandOption: true,
        describe: 'a run directory, such as runs/latest',
      })
      .option('format', {
        choices: ['table', 'json', 'ndjson'] as const,
        default: 'table' as const,
        describe: 'json is forkscope-audit/1; ndjson is one thread a line, then the totals',
      })
      .option('all-threads', {
        type: 'boolean',
        default: false,
        describe: 'list every thread in json and ndjson, not only those with warnings or errors',
      })
      .option('unknown', {
        choices: ['ok', 'fail'] as const,
        default: 'fail' as const,
        describe: 'whether threads that cannot be judged make the exit code 2 (fail) or 0 (ok)',
      })
      .example('$0 audit runs/latest', 'the newest series again')
      .example('$0 audit runs/latest --format json | jq .totals', 'totals for a script')
      .epilogue(exitCodeHelp),
  handler,
};

async function handler(argv: ArgumentsCamelCase<AuditArguments>): Promise<void> {
  const { auditRunDirectory } = await import('../audit/audit-run.ts');
  await withStopSignal(async (stop) => {
    const verdict = await auditRunDirectory({
      folder: argv.source,
      format: argv.format,
      allThreads: argv.allThreads,
      palette: paletteFor(process.stdout, process.env),
      write: (text) => process.stdout.write(text),
      stop,
    });
    process.exitCode = verdict === 'unknown' && argv.unknown === 'ok' ? exitCodes.valid : exitCodeOf(verdict);
  });
}
