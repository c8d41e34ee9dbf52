/**
 * The rows of one shard, those of one thread together. Easy to get wrong: rows are sorted by hash alone, so two threads
 * may stand in one group.
 */
import { readSync } from 'node:fs';
import { hashAt, recordWords } from './record.ts';
import type { ShardMemory } from './shard-memory.ts';
import type { ShardParts } from './shard-store.ts';

/** Hash without the shard's own bits, times this, plus where the record begins: exact up to 2^53. */
const wordsOfOneHash = 2 ** 29;

/** Sorted rows, until they are closed. *Cost*: the shard's records and 8 bytes a row in memory. */
export class SortedRows {
  /** Records; see record.ts. */
  readonly words: Uint32Array;
  readonly count: number;
  readonly #keys: Float64Array;
  readonly #memory: ShardMemory | null;
  readonly #taken: ArrayBuffer | null;

  /** `memory`: what is read back from a file is put there; null: into memory of its own, which outlives the rows. */
  constructor({ rows, files }: Pick<ShardParts, 'rows' | 'files'>, memory: ShardMemory | null) {
    const bytes = files.reduce((sum, part) => sum + part.length, rows.byteLength);
    this.#memory = memory;
    this.#taken = files.length === 0 ? null : (memory?.take(bytes) ?? new ArrayBuffer(bytes));
    this.words =
      this.#taken === null ? rows : joined(rows, files, new Uint32Array(this.#taken, 0, bytes / 4));
    let count = 0;
    for (let at = 0; at < this.words.length; at += recordWords(this.words, at)) count += 1;
    this.count = count;
    this.#keys = new Float64Array(count);
    let index = 0;
    for (let at = 0; at < this.words.length; at += recordWords(this.words, at), index += 1) {
      this.#keys[index] = (hashAt(this.words, at) & 0xffffff) * wordsOfOneHash + at;
    }
    this.#keys.sort();
  }

  /** The rows are read no more. */
  close(): void {
    if (this.#taken !== null) this.#memory?.give(this.#taken);
  }

  /** The end of the group of rows with the hash of the row at `from`. */
  groupEnd(from: number): number {
    const hash = Math.floor((this.#keys[from] ?? 0) / wordsOfOneHash);
    const beyond = (hash + 1) * wordsOfOneHash;
    let to = from + 1;
    while (to < this.count && (this.#keys[to] ?? 0) < beyond) to += 1;
    return to;
  }

  /** Where the record at a position of the sorted order begins. */
  at(position: number): number {
    return (this.#keys[position] ?? 0) % wordsOfOneHash;
  }
}

function joined(rows: Uint32Array, files: ShardParts['files'], words: Uint32Array): Uint32Array {
  const bytes = new Uint8Array(words.buffer);
  let at = 0;
  for (const { descriptor, offset, length: wanted } of files) {
    for (let done = 0; done < wanted;) {
      const read = readSync(descriptor, bytes, at + done, wanted - done, offset + done);
      if (read === 0) throw new RangeError('the temporary file is shorter than what was written to it');
      done += read;
    }
    at += wanted;
  }
  words.set(rows, at / 4);
  return words;
}
