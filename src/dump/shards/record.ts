/**
 * One row as it waits in a shard: a header and the row's line of COPY text. Easy to get wrong: the row is decoded much
 * later, so the header carries where it stood, or a fault could not be located any more.
 *
 *      0       4       8               16      20      24      26      28
 *      │length │ hash  │ byte (f64)    │ line  │ row   │section│ flags │ line of text …
 */

/** Bytes of a header. */
export const headerBytes = 28;

/** The stored bytes of the row's value were left out: its `blob` field is empty but was not NULL. */
export const omittedFlag = 1;

/** Writes a header for a text of `length` bytes. */
export function writeHeader(
  view: DataView,
  at: number,
  length: number,
  hash: number,
  byte: number,
  line: number,
  row: number,
  section: number,
  flags: number,
): void {
  view.setUint32(at, length, true);
  view.setUint32(at + 4, hash, true);
  view.setFloat64(at + 8, byte, true);
  view.setUint32(at + 16, line, true);
  view.setUint32(at + 20, row, true);
  view.setUint16(at + 24, section, true);
  view.setUint16(at + 26, flags, true);
}

/** Bytes of text behind the header at `at`. */
export function recordLength(view: DataView, at: number): number {
  return view.getUint32(at, true);
}

/** The hash of the record's thread. */
export function recordHash(view: DataView, at: number): number {
  return view.getUint32(at + 4, true);
}

/** Index of the record's section. */
export function recordSection(view: DataView, at: number): number {
  return view.getUint16(at + 24, true);
}

/** True when the stored bytes were left out. */
export function isOmitted(view: DataView, at: number): boolean {
  return (view.getUint16(at + 26, true) & omittedFlag) !== 0;
}

/** Where the row stood: 0-based byte of the text, 1-based line and row. */
export function recordPlace(
  view: DataView,
  at: number,
): { readonly byte: number; readonly line: number; readonly row: number } {
  return {
    byte: view.getFloat64(at + 8, true),
    line: view.getUint32(at + 16, true),
    row: view.getUint32(at + 20, true),
  };
}
