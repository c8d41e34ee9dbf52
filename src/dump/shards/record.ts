/**
 * One row as it waits in a shard: a header of seven words and the row, packed or as its line of COPY text. Easy to get
 * wrong: the row is decoded much later, so the header carries where it stood, or a fault could not be located any more.
 *
 *      0 words in all · 1 hash · 2 byte, low · 3 byte, high 16 bits, and section
 *      4 line · 5 row · 6 dictionary, bytes that fill up the last word, flags
 */

/** Words of a header. */
export const headerWords = 7;

/** How the row is written: its line of text, its packed words, or what differs from the row before (row-delta.ts). */
export const forms = { text: 0, packed: 1, delta: 2 } as const;
const formMask = 3;
/** The row's value was left out: its field holds an empty bytea but was not NULL. */
const omittedFlag = 4;
const fillShift = 3;
const dictionaryShift = 5;
const lowWord = 2 ** 32;

/** Where a row stood: 0-based byte of the text, 1-based line and row. */
export interface RowPlace {
  readonly byte: number;
  readonly line: number;
  readonly row: number;
}

/** Writes where the row of the record at `at` stood; {@link closeRecord} completes the header. */
export function openRecord(
  words: Uint32Array,
  at: number,
  hash: number,
  section: number,
  byte: number,
  line: number,
  row: number,
): void {
  words[at + 1] = hash;
  words[at + 2] = byte % lowWord;
  words[at + 3] = (Math.floor(byte / lowWord) << 16) | section;
  words[at + 4] = line;
  words[at + 5] = row;
}

/** Writes the rest of the header; `fill`: bytes of the last word that are not the text's. */
export function closeRecord(
  words: Uint32Array,
  at: number,
  bodyWords: number,
  form: number,
  fill: number,
  isOmitted: boolean,
  dictionary: number,
): void {
  words[at] = headerWords + bodyWords;
  words[at + 6] =
    (dictionary << dictionaryShift) | (fill << fillShift) | (isOmitted ? omittedFlag : 0) | form;
}

/** Words of the record. */
export function recordWords(words: Uint32Array, at: number): number {
  return words[at] ?? headerWords;
}

/** The hash of the row's thread. */
export function hashAt(words: Uint32Array, at: number): number {
  return words[at + 1] ?? 0;
}

/** Index of the row's section. */
export function sectionAt(words: Uint32Array, at: number): number {
  return (words[at + 3] ?? 0) & 0xffff;
}

/** One of {@link forms}. */
export function formAt(words: Uint32Array, at: number): number {
  return (words[at + 6] ?? 0) & formMask;
}

/** True when the row's value was left out. */
export function isOmittedAt(words: Uint32Array, at: number): boolean {
  return ((words[at + 6] ?? 0) & omittedFlag) !== 0;
}

/** The dictionary of a packed row's names. */
export function dictionaryAt(words: Uint32Array, at: number): number {
  return (words[at + 6] ?? 0) >>> dictionaryShift;
}

/** Bytes of the line of a row that is text. */
export function textBytesAt(words: Uint32Array, at: number): number {
  return 4 * (recordWords(words, at) - headerWords) - (((words[at + 6] ?? 0) >>> fillShift) & 3);
}

/** Where the row stood. */
export function placeAt(words: Uint32Array, at: number): RowPlace {
  return {
    byte: ((words[at + 3] ?? 0) >>> 16) * lowWord + (words[at + 2] ?? 0),
    line: words[at + 4] ?? 0,
    row: words[at + 5] ?? 0,
  };
}
