/**
 * A temporary file without a name: it is unlinked as soon as it is open, so that the system takes it back however the
 * process ends, also by kill -9. Easy to get wrong: a full disk shows only when writing, and the operator must learn
 * that it is the temporary folder's disk and not the dump's.
 */
import { randomUUID } from 'node:crypto';
import { closeSync, openSync, unlinkSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { OperatorError } from '../../failure/operator-error.ts';

/** Appends bytes; whoever knows the descriptor reads them back, from any thread of the process. */
export class SpillFile {
  /** Valid until {@link close}. */
  readonly descriptor: number;
  readonly #folder: string;
  #length = 0;

  /** *Fails* with OperatorError where the folder cannot be written. */
  constructor(folder: string = tmpdir()) {
    this.#folder = folder;
    const path = join(folder, `forkscope-${randomUUID()}.spill`);
    try {
      this.descriptor = openSync(path, 'wx+', 0o600);
    } catch (error) {
      throw this.#fault('the temporary folder cannot be written', error);
    }
    unlinkSync(path);
  }

  /** Bytes written so far. */
  get length(): number {
    return this.#length;
  }

  /** Appends and returns where the bytes begin. *Fails* with OperatorError where the disk is full. */
  append(bytes: Uint8Array): number {
    const start = this.#length;
    try {
      for (let done = 0; done < bytes.length;) {
        const written = writeSync(this.descriptor, bytes, done, bytes.length - done, this.#length);
        done += written;
        this.#length += written;
      }
    } catch (error) {
      throw this.#fault(
        'rows that did not fit into memory could not be written to the temporary folder',
        error,
      );
    }
    return start;
  }

  close(): void {
    closeSync(this.descriptor);
  }

  #fault(happened: string, cause: unknown): OperatorError {
    const code = cause instanceof Error && 'code' in cause ? String(cause.code) : 'unknown error';
    return new OperatorError({
      happened: `${happened}: ${code}`,
      place: this.#folder,
      remedy: 'Make room there, name another folder in TMPDIR, or raise --memory.',
      cause,
    });
  }
}
