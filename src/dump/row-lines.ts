/**
 * Rows as JSON lines (docs/rows-format.md) in any order, into a store. Easy to get wrong: a file without a single line
 * of a table may come from somebody who did not export that table, so the table counts as absent, not as empty.
 */
import { ChunkJoiner } from './chunk-joiner.ts';
import { describePlace } from './dump-place.ts';
import type { DumpSection, DumpTables } from './dump-tables.ts';
import type { OnFault } from './dump-text.ts';
import { OperatorError } from '../failure/operator-error.ts';
import { neutralCopyLine, neutralSections } from './neutral-copy.ts';
import type { RowSink } from './row-sink.ts';
import { RowFault, text } from './text-field.ts';
import type { TableKind } from './table-layout.ts';

const lineFeed = 0x0a;

/**
 * Reads one file's text; its rows go to a sink. Write chunks, then end. A line that is no row goes to `onFault`, which
 * throws it when the operator did not ask to go on.
 */
export class RowLines {
  readonly #source: string;
  readonly #sink: RowSink;
  readonly #tables: DumpTables;
  readonly #onFault: OnFault;
  readonly #sections: ReadonlyMap<TableKind, DumpSection> = neutralSections();
  readonly #joiner = new ChunkJoiner((bytes, isLast) => this.#lines(bytes, isLast));
  #byte = 0;
  #line = 0;

  constructor(source: string, sink: RowSink, tables: DumpTables, onFault: OnFault) {
    this.#source = source;
    this.#sink = sink;
    this.#tables = tables;
    this.#onFault = onFault;
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
    try {
      const line = textOf(bytes, this.#place).trim();
      if (line !== '') this.#row(line);
    } catch (error) {
      if (!(error instanceof OperatorError)) throw error;
      this.#onFault(error);
    }
  }

  #row(line: string): void {
    const { table, copyLine } = neutralCopyLine(line, this.#place);
    if (table === 'checkpoints') this.#tables.hasCheckpoints = true;
    const section = this.#sections.get(table);
    if (section === undefined) return;
    section.rows += 1;
    this.#sink.announce(section);
    const place = { byte: this.#byte, line: this.#line, row: section.rows };
    this.#sink.lines(section, copyLine, 0, Uint32Array.of(copyLine.length), place);
  }

  readonly #place = (): string =>
    describePlace({
      source: this.#source,
      byte: this.#byte,
      line: this.#line,
      table: null,
      row: null,
    });
}

/** A mark at the beginning of the file is blank to `trim`. */
function textOf(bytes: Buffer, place: () => string): string {
  try {
    return text('of text', bytes);
  } catch (cause) {
    if (!(cause instanceof RowFault)) throw cause;
    const remedy = 'Export the rows as UTF-8.';
    throw new OperatorError({ happened: 'the line is not UTF-8', place: place(), remedy, cause });
  }
}
