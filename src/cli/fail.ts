/**
 * How errors leave the program. An operator error is a sentence with a remedy and no stack; an interruption is not an
 * error at all; anything else is a bug of forkscope and shows its stack and the command that showed it.
 */
import { OperatorError } from '../failure/operator-error.ts';
import { printable } from '../report/printable.ts';
import { SeriesInterrupted } from '../runner/series-options.ts';
import { exitCodes } from './exit-code.ts';

/** The command line does not say what to do; its help has been shown. */
export class BadArguments extends Error {
  override readonly name = 'BadArguments';
}

/** Prints the error on stderr and returns the exit code. */
export function reportFailure(
  error: unknown,
  argv: readonly string[],
  write: (text: string) => void,
): number {
  if (error instanceof BadArguments) {
    write(`\n${printable(error.message, 2_000)}\n`);
    return exitCodes.badArguments;
  }
  if (error instanceof OperatorError) {
    write(`forkscope: ${printable(error.message, 4_000)}\n`);
    return exitCodes.failure;
  }
  if (error instanceof SeriesInterrupted) {
    write(`forkscope: ${printable(error.message, 2_000)}\n`);
    return exitCodes.interrupted;
  }
  // Only a stop signal aborts anything; the one who sent it knows.
  if (error instanceof Error && error.name === 'AbortError') {
    write('forkscope: interrupted\n');
    return exitCodes.interrupted;
  }
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
  write(`forkscope has a bug; please report it with these lines:\n${text}\n`);
  write(`to see it again: forkscope ${argv.map((word) => JSON.stringify(word)).join(' ')}\n`);
  return exitCodes.failure;
}
