/**
 * Rows as JSON lines (docs/rows-format.md) in any order, into a store. Easy to get wrong: a file without a single line
 * of a table may come from somebody who did not export that table, so the table counts as absent, not as empty.
 */
import { ChunkJoiner } from './chunk-joiner.ts';
import { describePlace } from './dump-place.ts';
import type { DumpTables } from './dump-tables.ts';
import { neutralRow } from './neutral-rows.ts';
import { OperatorError } from '../failure/operator-error.ts';
import type { DecodedRow, RowChoice } from './row-decoder.ts';
import { RowFault, text } from './text-field.ts';
import type { TablePlace, ThreadStore } from './thread-store.ts';

const lineFeed = 0x0a;
/** JSON lines know no schema. */
const place: TablePlace = { database: null, schema: '' };

/** Reads one file's text. Write chunks, then end. *Fails* with OperatorError naming line and byte. */
export class RowLines {
  readonly #source: string;
  readonly #choice: RowChoice;
  readonly #store: ThreadStore;
  readonly #tables: DumpTables;
  readonly #joiner = new ChunkJoiner((bytes, isLast) => this.#lines(bytes, isLast));
  #byte = 0;
  #line = 0;

  constructor(source: string, choice: RowChoice, store: ThreadStore, tables: DumpTables) {
    this.#source = source;
    this.#choice = choice;
    this.#store = store;
    this.#tables = tables;
  }

  write(chunk: Buffer): void {
    this.#joiner.write(chunk);
  }

  /** The last line needs no line break. */
  end(): void {
    this.#joiner.end();
  }

  #lines(bytes: Buffer, isLast: boolean): number {
    let at = 0;
    while (at < bytes.length) {
      const found = bytes.indexOf(lineFeed, at);
      if (found < 0 && !isLast) break;
      const next = found < 0 ? bytes.length : found + 1;
      this.#line += 1;
      this.#one(bytes.subarray(at, next));
      this.#byte += next - at;
      at = next;
    }
    return at;
  }

  #one(bytes: Buffer): void {
    const line = this.#textOf(bytes).trim();
    if (line === '') return;
    const decoded = neutralRow(line, this.#place());
    if (decoded.table === 'checkpoints') this.#tables.hasCheckpoints = true;
    if (this.#choice.wantsThread?.(decoded.row.thread) === false) return;
    this.#store.addTable(place, decoded.table, false);
    this.#store.add(place, this.#chosen(decoded));
  }

  /** A mark at the beginning of the file is blank to `trim`. */
  #textOf(bytes: Buffer): string {
    try {
      return text('of text', bytes);
    } catch (cause) {
      if (!(cause instanceof RowFault)) throw cause;
      const remedy = 'Export the rows as UTF-8.';
      throw new OperatorError({ happened: 'the line is not UTF-8', place: this.#place(), remedy, cause });
    }
  }

  #chosen(decoded: DecodedRow): DecodedRow {
    if (decoded.table === 'checkpoints' || this.#choice.wantsValue?.(decoded.row.channel) !== false)
      return decoded;
    const { type, bytes } = decoded.row.value;
    const value = bytes === null ? { type, bytes } : { type, bytes: null, omitted: true };
    return decoded.table === 'blobs'
      ? { table: 'blobs', row: { ...decoded.row, value } }
      : { table: 'writes', row: { ...decoded.row, value } };
  }

  #place(): string {
    return describePlace({
      source: this.#source,
      byte: this.#byte,
      line: this.#line,
      table: null,
      row: null,
    });
  }
}
