/**
 * Values that were left out, read again where they stand in the file: a few threads need all of theirs. Easy to get
 * wrong: a line is found by the byte it begins with, so the file must be the text itself, unpacked and unchanged.
 */
import { closeSync, openSync, readSync } from 'node:fs';
import type { BlobRow, ThreadRows, WriteRow } from '#analysis/model/checkpoint.ts';
import { RecordDecoder } from './record-decoder.ts';
import type { SourceLayout } from './shard-layout.ts';
import type { ShardThread } from './shard-thread.ts';

const firstReadBytes = 4 << 10;

/** Longer lines stay as they are: nothing that long is compared with anything. */
const longestLineBytes = 16 << 20;

/** Reads lines of one file. */
export class SecondLook {
  readonly #descriptor: number;
  readonly #layout: SourceLayout;
  readonly #decoder = new RecordDecoder(new Map());

  /** *Fails* as opening a file does. */
  constructor(file: string, layout: SourceLayout) {
    this.#descriptor = openSync(file, 'r');
    this.#layout = layout;
  }

  /** The thread's rows with every value. *Cost*: one read a row. */
  complete({ rows, omitted }: Pick<ShardThread, 'rows' | 'omitted'>): ThreadRows {
    if (omitted.length === 0) return rows;
    const blobs: BlobRow[] = [...(rows.blobs ?? [])];
    const writes: WriteRow[] = [...(rows.writes ?? [])];
    for (const { byte, section, index } of omitted) {
      const layout = this.#layout.sections[section]?.layout;
      const line = layout === undefined ? null : this.#line(byte);
      if (layout === undefined || line === null) continue;
      const decoded = this.#decoder.decodeLine(line, layout);
      if (decoded.table === 'writes') writes[index] = decoded.row;
      else if (decoded.table === 'blobs') {
        // Where one table of a place is the shallow saver's, blobs were given the version of their checkpoint.
        blobs[index] = { ...decoded.row, version: rows.blobs?.[index]?.version ?? decoded.row.version };
      }
    }
    return {
      ...rows,
      blobs: rows.blobs === null ? null : blobs,
      writes: rows.writes === null ? null : writes,
    };
  }

  close(): void {
    closeSync(this.#descriptor);
  }

  /** The line that begins at `byte`, without its line break; null when it is too long. */
  #line(byte: number): Buffer | null {
    for (let size = firstReadBytes; ; size *= 8) {
      const bytes = Buffer.allocUnsafe(size);
      let length = 0;
      for (let read = -1; read !== 0 && length < size; length += read) {
        read = readSync(this.#descriptor, bytes, length, size - length, byte + length);
      }
      const found = bytes.subarray(0, length).indexOf(0x0a);
      if (found >= 0) return bytes.subarray(0, bytes[found - 1] === 0x0d ? found - 1 : found);
      if (length < size || size >= longestLineBytes) return null;
    }
  }
}
