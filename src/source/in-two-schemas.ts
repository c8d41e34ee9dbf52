/** What is said of a thread id that two schemas hold, where something is to be joined that names no schema. */
import type { ThreadId } from '#analysis/model/identifiers.ts';
import { OperatorError } from '../failure/operator-error.ts';

/** `file` is the instrument's name, `what` and `parts` its words, such as log and records. */
export function inTwoSchemas(thread: ThreadId, file: string, what: string, parts: string): OperatorError {
  return new OperatorError({
    happened: `two schemas hold the thread ${thread}, and the ${what} does not say which its ${parts} belong to`,
    place: file,
    remedy: 'Choose one with --schema.',
  });
}
