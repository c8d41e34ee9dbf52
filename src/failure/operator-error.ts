/**
 * What does a failure look like that the operator, not the programmer, can repair: a refused connection, a taken
 * port, a full disk? It is printed without a stack, so its text alone must be enough to act on. The easy mistake is
 * to put a connection string into it: strings that can hold a password go through `redactDsn` first.
 */

/** The parts of an operator error. All are phrases in lower case without a final full stop, except `remedy`. */
export interface OperatorErrorParts {
  /** What happened: `the connection was refused`. */
  readonly happened: string;
  /** Where: a file and byte, a host and port, a flag. */
  readonly place: string;
  /** What would have been right there; leave it out when `happened` says it already. */
  readonly expected?: string;
  /** What to do now, as whole sentences. */
  readonly remedy: string;
  /** The error underneath, kept for `--verbose`; its text is not part of the message. */
  readonly cause?: unknown;
}

/**
 * A failure of the environment or of what was asked, with its remedy.
 * `message` is the whole text, so that whoever knows only `Error` still prints something to act on.
 */
export class OperatorError extends Error {
  override readonly name = 'OperatorError';
  readonly happened: string;
  readonly place: string;
  /** Null when `happened` already says what was expected. */
  readonly expected: string | null;
  readonly remedy: string;

  constructor(parts: OperatorErrorParts) {
    super(messageOf(parts), parts.cause === undefined ? undefined : { cause: parts.cause });
    this.happened = parts.happened;
    this.place = parts.place;
    this.expected = parts.expected ?? null;
    this.remedy = parts.remedy;
  }
}

function messageOf(parts: OperatorErrorParts): string {
  const expected = parts.expected === undefined ? '' : ` Expected ${parts.expected}.`;
  return `${parts.happened} (${parts.place}).${expected} ${parts.remedy}`;
}
