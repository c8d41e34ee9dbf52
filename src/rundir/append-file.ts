/**
 * A file of a run directory that only grows, a whole line at a time. Writes are synchronous: what was recorded is on
 * disk when the call returns, and a full or forbidden disk is an error here and now, not at exit.
 */
import { closeSync, openSync, writeSync } from 'node:fs';
import { OperatorError } from '../failure/operator-error.ts';

/** Appends lines. Fails with an {@link OperatorError} naming the file. */
export class AppendFile {
  readonly path: string;
  readonly #descriptor: number;

  constructor(path: string) {
    this.path = path;
    try {
      this.#descriptor = openSync(path, 'a');
    } catch (cause) {
      throw unwritable(path, cause);
    }
  }

  /** Writes the value as one line of JSON. */
  write(value: unknown): void {
    this.writeText(`${JSON.stringify(value)}\n`);
  }

  /** Writes text that already ends in a line feed. */
  writeText(text: string): void {
    const bytes = Buffer.from(text);
    try {
      let offset = 0;
      while (offset < bytes.length) offset += writeSync(this.#descriptor, bytes, offset);
    } catch (cause) {
      throw unwritable(this.path, cause);
    }
  }

  close(): void {
    closeSync(this.#descriptor);
  }
}

/** The error for a run directory that cannot be written. */
export function unwritable(path: string, cause: unknown): OperatorError {
  return new OperatorError({
    happened: `the run directory cannot be written: ${cause instanceof Error ? cause.message : String(cause)}`,
    place: path,
    remedy: 'Free space on that disk, or choose another folder with --out.',
    cause,
  });
}
