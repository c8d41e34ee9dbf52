/**
 * One row as it waits in a shard: where its line is, whose it is and where it stood in the text, as eight numbers of 32
 * bits. Easy to get wrong: the row is decoded much later, so a fault could not be located without the latter.
 *
 *      0 hash · 1 slab · 2 offset · 3 length, top bit: value left out
 *      4 byte, low · 5 byte, high 16 bits, and section · 6 line · 7 row
 */

/** Numbers of a row. */
export const rowWords = 8;

const omittedBit = 0x80000000;
const lowWord = 2 ** 32;

/** Where a row's line stood: 0-based byte of the text, 1-based line and row. */
export interface RowPlace {
  readonly byte: number;
  readonly line: number;
  readonly row: number;
}

/** Writes row `index`; the line is `length` bytes at `offset` of a slab. */
export function writeRow(
  rows: Uint32Array,
  index: number,
  hash: number,
  slab: number,
  offset: number,
  length: number,
  isOmitted: boolean,
  byte: number,
  section: number,
  line: number,
  row: number,
): void {
  const at = index * rowWords;
  rows[at] = hash;
  rows[at + 1] = slab;
  rows[at + 2] = offset;
  rows[at + 3] = isOmitted ? length | omittedBit : length;
  rows[at + 4] = byte % lowWord;
  rows[at + 5] = (Math.floor(byte / lowWord) << 16) | section;
  rows[at + 6] = line;
  rows[at + 7] = row;
}

/** Says that the line of row `index` is now elsewhere. */
export function moveRow(rows: Uint32Array, index: number, slab: number, offset: number): void {
  rows[index * rowWords + 1] = slab;
  rows[index * rowWords + 2] = offset;
}

/** The hash of the row's thread. */
export function hashAt(rows: Uint32Array, index: number): number {
  return rows[index * rowWords] ?? 0;
}

/** The slab of the row's line. */
export function slabAt(rows: Uint32Array, index: number): number {
  return rows[index * rowWords + 1] ?? 0;
}

/** Where in the slab the line begins. */
export function offsetAt(rows: Uint32Array, index: number): number {
  return rows[index * rowWords + 2] ?? 0;
}

/** Bytes of the line, without its line break. */
export function lengthAt(rows: Uint32Array, index: number): number {
  return (rows[index * rowWords + 3] ?? 0) & 0x7fffffff;
}

/** True when the row's value was left out: the field holds an empty bytea but was not NULL. */
export function isOmittedAt(rows: Uint32Array, index: number): boolean {
  return ((rows[index * rowWords + 3] ?? 0) & omittedBit) !== 0;
}

/** Index of the row's section. */
export function sectionAt(rows: Uint32Array, index: number): number {
  return (rows[index * rowWords + 5] ?? 0) & 0xffff;
}

/** Where the row stood. */
export function placeAt(rows: Uint32Array, index: number): RowPlace {
  const at = index * rowWords;
  return {
    byte: ((rows[at + 5] ?? 0) >>> 16) * lowWord + (rows[at + 4] ?? 0),
    line: rows[at + 6] ?? 0,
    row: rows[at + 7] ?? 0,
  };
}
