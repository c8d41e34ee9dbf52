/**
 * The rows of one shard, those of one thread together. Easy to get wrong: rows are sorted by hash alone, so two threads
 * may stand in one group.
 */
import { readSync } from 'node:fs';
import { countRecords, readRecords } from './record.ts';
import { hashAt, rowWords } from './row-index.ts';
import type { FilePart, ShardParts } from './shard-store.ts';

/** Hash without the shard's own bits, times this, plus the row's number: exact up to 2^53. */
const numbersOfOneHash = 2 ** 29;

/** Sorted rows. *Cost*: what of the shard is in the temporary file, in memory, and 40 bytes a row. */
export class SortedRows {
  /** See row-index.ts; in the order of the text. */
  readonly rows: Uint32Array;
  readonly count: number;
  readonly #slabs: readonly Buffer[];
  readonly #keys: Float64Array;

  constructor({ slabs, rows, files }: ShardParts) {
    const pieces = files.map(read);
    this.#slabs = [...slabs.map((memory) => Buffer.from(memory)), ...pieces];
    if (pieces.length === 0) this.rows = rows;
    else {
      const before = pieces.reduce((sum, piece) => sum + countRecords(piece), 0);
      const all = new Uint32Array(before * rowWords + rows.length);
      let next = 0;
      for (const [turn, piece] of pieces.entries()) next = readRecords(piece, slabs.length + turn, all, next);
      all.set(rows, next * rowWords);
      this.rows = all;
    }
    this.count = this.rows.length / rowWords;
    this.#keys = new Float64Array(this.count);
    for (let index = 0; index < this.count; index += 1) {
      this.#keys[index] = (hashAt(this.rows, index) & 0xffffff) * numbersOfOneHash + index;
    }
    this.#keys.sort();
  }

  /** The end of the group of rows with the hash of the row at `from`. */
  groupEnd(from: number): number {
    const hash = Math.floor((this.#keys[from] ?? 0) / numbersOfOneHash);
    const beyond = (hash + 1) * numbersOfOneHash;
    let to = from + 1;
    while (to < this.count && (this.#keys[to] ?? 0) < beyond) to += 1;
    return to;
  }

  /** The index into {@link rows} of the row at a position of the sorted order. */
  indexAt(position: number): number {
    return (this.#keys[position] ?? 0) % numbersOfOneHash;
  }

  /** The memory that holds a slab's lines. */
  slab(number: number): Buffer {
    return this.#slabs[number] ?? empty;
  }
}

const empty = Buffer.alloc(0);

function read({ descriptor, offset, length }: FilePart): Buffer {
  const bytes = Buffer.allocUnsafeSlow(length);
  for (let done = 0; done < length;) {
    const read = readSync(descriptor, bytes, done, length - done, offset + done);
    if (read === 0) throw new RangeError('the temporary file is shorter than what was written to it');
    done += read;
  }
  return bytes;
}
