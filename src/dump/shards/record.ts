/**
 * A row in the temporary file: what the index says of it, without where it was in memory, and its line behind. The
 * words are those of row-index.ts, in the byte order of the machine: the file never leaves it.
 */
import { lengthAt, rowWords } from './row-index.ts';

/** Bytes before a line. */
export const headerBytes = 24;

/** The words of a row that are written; slab and offset are not. */
const written = [0, 3, 4, 5, 6, 7] as const;

/** Writes the header of row `index` at `at`. */
export function writeRecord(view: DataView, at: number, rows: Uint32Array, index: number): void {
  for (const [turn, word] of written.entries()) {
    view.setUint32(at + 4 * turn, rows[index * rowWords + word] ?? 0, true);
  }
}

/**
 * Reads the records of `bytes` into `rows` from row `index` on; their lines are in `bytes`, which is called `slab`.
 * Returns the row behind the last.
 */
export function readRecords(bytes: Buffer, slab: number, rows: Uint32Array, index: number): number {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let next = index;
  for (let at = 0; at < bytes.length; next += 1) {
    for (const [turn, word] of written.entries()) {
      rows[next * rowWords + word] = view.getUint32(at + 4 * turn, true);
    }
    rows[next * rowWords + 1] = slab;
    rows[next * rowWords + 2] = at + headerBytes;
    at += headerBytes + lengthAt(rows, next);
  }
  return next;
}

/** How many records `bytes` hold. */
export function countRecords(bytes: Buffer): number {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let count = 0;
  for (let at = 0; at < bytes.length; count += 1) {
    at += headerBytes + (view.getUint32(at + 4, true) & 0x7fffffff);
  }
  return count;
}
