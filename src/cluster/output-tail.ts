/** The last lines of a child's output, kept for the message that reports its death; everything goes to a log file. */
import { createWriteStream, type WriteStream } from 'node:fs';
import type { Readable } from 'node:stream';

const keptLines = 16;
const keptCharacters = 400;

/** A ring of the last lines of both streams of one process. Lines are cut at 400 characters. */
export class OutputTail {
  readonly logFile: string;
  readonly #file: WriteStream;
  readonly #lines: string[] = [];
  #partial = '';

  constructor(logFile: string, streams: readonly (Readable | null)[]) {
    this.logFile = logFile;
    this.#file = createWriteStream(logFile, { flags: 'a' });
    // The log is a convenience: a full disk shows where it matters, in the effect log and the history.
    this.#file.on('error', () => undefined);
    for (const stream of streams) {
      stream?.setEncoding('utf8');
      stream?.on('data', (text: string) => {
        this.#take(text);
      });
    }
  }

  /** Oldest first; empty when the process printed nothing. */
  get lines(): readonly string[] {
    return this.#partial === '' ? this.#lines : [...this.#lines, this.#partial];
  }

  close(): void {
    this.#file.end();
  }

  #take(text: string): void {
    this.#file.write(text);
    const lines = (this.#partial + text).split('\n');
    this.#partial = (lines.pop() ?? '').slice(0, keptCharacters);
    for (const line of lines) this.#lines.push(line.slice(0, keptCharacters));
    this.#lines.splice(0, Math.max(0, this.#lines.length - keptLines));
  }
}
