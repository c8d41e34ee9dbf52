/**
 * How many records of a thread does the effect log hold by now? Workers append whole lines with one write each, so what
 * was appended since the last look ends in a line feed.
 */
import { closeSync, openSync, readSync } from 'node:fs';
import { StringDecoder } from 'node:string_decoder';
import type { ThreadId } from '#analysis/model/identifiers.ts';
import { effectSchema } from '../source/effect-line.ts';

const pieceBytes = 64 << 10;

/** Reads a log that grows. *Cost*: each byte once, and a number a thread. */
export class EffectsTail {
  readonly #path: string;
  readonly #counts = new Map<ThreadId, number>();
  readonly #decoder = new StringDecoder('utf8');
  #descriptor: number | null = null;
  #offset = 0;
  #rest = '';

  constructor(path: string) {
    this.#path = path;
  }

  /** Records of the thread. *Fails* as reading the file does. */
  of(thread: ThreadId): number {
    this.#readOn();
    return this.#counts.get(thread) ?? 0;
  }

  close(): void {
    if (this.#descriptor !== null) closeSync(this.#descriptor);
    this.#descriptor = null;
  }

  #readOn(): void {
    this.#descriptor ??= openSync(this.#path, 'r');
    const piece = Buffer.alloc(pieceBytes);
    for (;;) {
      const read = readSync(this.#descriptor, piece, 0, pieceBytes, this.#offset);
      if (read === 0) return;
      this.#offset += read;
      const lines = (this.#rest + this.#decoder.write(piece.subarray(0, read))).split('\n');
      this.#rest = lines.pop() ?? '';
      for (const line of lines) {
        const { thread } = effectSchema.parse(JSON.parse(line));
        this.#counts.set(thread, (this.#counts.get(thread) ?? 0) + 1);
      }
    }
  }
}
