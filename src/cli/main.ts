#!/usr/bin/env node
/** The command line. Commands are imported when they run, so that `--help` costs no LangGraph and no Postgres. */
import yargs from 'yargs';
import { hideBin } from 'yargs/helpers';
import { forkscopeVersion } from '../runner/versions.ts';
import { auditCommand } from './audit-command.ts';
import { exitCodeHelp, exitCodes } from './exit-code.ts';
import { BadArguments, reportFailure } from './fail.ts';
import { raceCommand } from './race-command.ts';
import { showCommand } from './show-command.ts';
import { compareCommand } from './compare-command.ts';
import { trialsCommand } from './trials-command.ts';

const argv = hideBin(process.argv);

// A reader that has seen enough (`| head`) closes the pipe; that is no failure of ours.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  process.exit(error.code === 'EPIPE' ? process.exitCode : exitCodes.failure);
});

const stderr = (text: string) => process.stderr.write(text);

const program = yargs(argv)
  .scriptName('forkscope')
  .usage('$0 <command>\n\nShows, with evidence, what concurrent workers do to a LangGraph thread.')
  .command(raceCommand)
  .command(auditCommand)
  .command(showCommand)
  .command(compareCommand)
  .command(trialsCommand)
  .demandCommand(1, 'Name a command.')
  .strict()
  .version(forkscopeVersion())
  .alias('h', 'help')
  .epilogue(exitCodeHelp)
  .wrap(Math.min(110, process.stdout.columns > 0 ? process.stdout.columns : 110))
  .fail((message, error, parser) => {
    // yargs hands its own complaints over as a message, and what a command threw as an error. Both must be thrown:
    // after a handler that returns, yargs would go on and run the command.
    if (error instanceof Error && error.name !== 'YError') throw error;
    parser.showHelp(stderr);
    throw new BadArguments(message || error.message);
  });

try {
  await program.parseAsync();
} catch (error) {
  process.exitCode = reportFailure(error, argv, stderr);
}
