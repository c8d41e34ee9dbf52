/**
 * The text of a plain dump, from its bytes to the rows of the tables that matter. One pass, in chunks of any size:
 *
 *        ;  other statement              line = \.
 *       ┌──┐                    ┌──────────────────────┐
 *       ▼  │  COPY … FROM stdin;│                      │
 *      [ SQL ] ───────────────▶ [ data, read or skipped ]  ◀┐ line
 *                                                      └────┘
 *
 * Easy to get wrong: a line of data may look like any statement, and a string of SQL like a section of data.
 */
import { DecodeError } from '#analysis/rows/decode-error.ts';
import { ChunkJoiner } from './chunk-joiner.ts';
import { isCopyEnd } from './copy-text.ts';
import { dumpAgain, dumpError, type DumpFault, type DumpPlace } from './dump-place.ts';
import { DumpTables, type DumpSection } from './dump-tables.ts';
import { insertRows, NotALiteral } from './insert-values.ts';
import type { RowDecoder } from './row-decoder.ts';
import { CopyRow, ValuesRow, type RowFields } from './row-fields.ts';
import { readMetaCommand, readRemark } from './script-lines.ts';
import { tableText } from './sql-literal.ts';
import { blockCommentEnd, isSpace } from './sql-tokens.ts';
import { RowFault } from './text-field.ts';
import { readStatement, statementEnd, TokenReader, type Statement } from './statements.ts';
import type { ThreadStore } from './thread-store.ts';

const lineFeed = 0x0a;
const carriageReturn = 0x0d;

/** Reads one dump's text into a store. Write chunks, then end. *Fails* with OperatorError naming the place. */
export class DumpText {
  readonly #source: string;
  readonly #decoder: RowDecoder;
  readonly #store: ThreadStore;
  readonly #joiner = new ChunkJoiner((bytes, isLast) => this.#consume(bytes, isLast));
  readonly #copyRow = new CopyRow();
  /** What the statements so far said of tables and settings. */
  readonly tables: DumpTables;
  /** Offset and line of the first byte that no unit has taken. */
  #byte = 0;
  #line = 1;
  /** The section of COPY data the text is in; null in SQL. */
  #section: DumpSection | null = null;
  #headers = 0;
  #footers = 0;

  constructor(source: string, decoder: RowDecoder, store: ThreadStore, tables = new DumpTables()) {
    this.#source = source;
    this.#decoder = decoder;
    this.#store = store;
    this.tables = tables;
  }

  write(chunk: Buffer): void {
    this.#joiner.write(chunk);
  }

  /** *Fails* when the text ends where a complete dump cannot. */
  end(): void {
    const rest = this.#joiner.end();
    if (this.#section !== null) {
      const happened = `the dump ends inside the data of table ${tableText(this.#section.name)}`;
      throw this.#error({ happened, expected: 'a line of \\. after the last row', remedy: dumpAgain });
    }
    if (rest.length > 0) {
      const happened = 'the dump ends inside a statement';
      throw this.#error({ happened, expected: 'a semicolon', remedy: dumpAgain });
    }
    if (this.#headers > this.#footers) {
      const happened = 'the dump begins with the opening comment of pg_dump but lacks the closing one';
      throw this.#error({ happened, expected: '"PostgreSQL database dump complete"', remedy: dumpAgain });
    }
  }

  #consume(bytes: Buffer, isLast: boolean): number {
    let at = 0;
    for (;;) {
      const next =
        this.#section === null ? this.#sqlUnit(bytes, at, isLast) : this.#dataLines(bytes, at, isLast);
      if (next === at) break;
      at = next;
    }
    return at;
  }

  /** Marks bytes as taken. */
  #advance(bytes: Buffer, from: number, to: number): number {
    this.#byte += to - from;
    for (let at = bytes.indexOf(lineFeed, from); at >= 0 && at < to; at = bytes.indexOf(lineFeed, at + 1)) {
      this.#line += 1;
    }
    return to;
  }

  /** Takes one blank, comment, meta-command or statement; returns `at` when it is not complete. */
  #sqlUnit(bytes: Buffer, at: number, isLast: boolean): number {
    const first = bytes[at];
    if (first === undefined) return at;
    if (isSpace(first)) {
      let end = at + 1;
      while (isSpace(bytes[end])) end += 1;
      return this.#advance(bytes, at, end);
    }
    if (bytes.length - at < 3 && !isLast) return at;
    const opening = bytes.toString('latin1', at, at + 3);
    if (opening === '\u00ef\u00bb\u00bf' && this.#byte === 0) return this.#advance(bytes, at, at + 3);
    if (opening.startsWith('/*')) {
      const end = blockCommentEnd(bytes, at);
      return end < 0 ? at : this.#advance(bytes, at, end);
    }
    if (opening.startsWith('--') || opening.startsWith('\\')) return this.#scriptLine(bytes, at, isLast);
    const end = statementEnd(bytes, at, this.tables.dialect);
    return end === 'more' ? at : this.#statement(bytes, at, end);
  }

  #scriptLine(bytes: Buffer, at: number, isLast: boolean): number {
    const lineEnd = bytes.indexOf(lineFeed, at);
    if (lineEnd < 0 && !isLast) return at;
    const end = lineEnd < 0 ? bytes.length : lineEnd + 1;
    const line = bytes.toString('utf8', at, end).trimEnd();
    const remark = readRemark(line);
    if (remark?.kind === 'header') this.#headers += 1;
    else if (remark?.kind === 'footer') this.#footers += 1;
    else if (remark?.kind === 'table-data') this.#announce(this.tables.section(remark.table, null));
    const command = readMetaCommand(line);
    if (command?.kind === 'connect') this.tables.connect(command.database);
    return this.#advance(bytes, at, end);
  }

  #statement(bytes: Buffer, at: number, end: number): number {
    const text = bytes.subarray(at, end);
    const statement = readStatement(text, this.tables.dialect);
    if (statement.kind === 'copy') {
      // The data begins on the next line.
      const lineEnd = bytes.indexOf(lineFeed, end);
      if (lineEnd < 0) return at;
      this.#section = this.tables.section(statement.table, statement.columns);
      this.#announce(this.#section);
      const isText = statement.options === '' || this.#section.layout === null;
      if (!isText) throw this.#error(unsupportedCopy(statement.options));
      return this.#advance(bytes, at, lineEnd + 1);
    }
    if (statement.kind === 'insert') this.#insert(text, statement);
    else {
      const fault = this.tables.learn(statement);
      if (fault !== null) throw this.#error(fault);
    }
    return this.#advance(bytes, at, end);
  }

  #insert(text: Buffer, { table, columns, valuesAt }: Statement & { kind: 'insert' }): void {
    const section = this.tables.section(table, columns);
    const isUnnamed = this.tables.isUnnamed(section, columns);
    if (section.layout === null && !isUnnamed) return;
    try {
      for (const values of insertRows(new TokenReader(text, this.tables.dialect, valuesAt))) {
        const known = isUnnamed ? this.tables.guess(section, values.length) : section;
        if (known === null) return;
        this.#announce(known);
        this.#row(known, new ValuesRow(values));
      }
    } catch (error) {
      if (!(error instanceof NotALiteral)) throw error;
      const happened = `an INSERT holds something that pg_dump does not write: ${error.message}`;
      throw this.#error({ happened, remedy: 'Make the dump with pg_dump.', cause: error }, section);
    }
  }

  /** Takes lines of data up to the section's end or the last complete line. */
  #dataLines(bytes: Buffer, start: number, isLast: boolean): number {
    const section = this.#section;
    let at = start;
    while (section !== null) {
      const found = bytes.indexOf(lineFeed, at);
      if (found < 0 && !isLast) return at;
      const next = found < 0 ? bytes.length : found + 1;
      let end = found < 0 ? bytes.length : found;
      if (end > at && bytes[end - 1] === carriageReturn) end -= 1;
      const isEnd = isCopyEnd(bytes, at, end);
      // A last line without a line break is whole only if it ends the section.
      if (found < 0 && !isEnd) return at;
      if (!isEnd && section.layout !== null) {
        this.#copyRow.load(bytes, at, end);
        this.#row(section, this.#copyRow);
      }
      this.#byte += next - at;
      this.#line += 1;
      at = next;
      if (isEnd) {
        this.#section = null;
        return at;
      }
    }
    return at;
  }

  #announce({ layout, place }: DumpSection): void {
    if (layout === null) return;
    if (layout.kind === 'checkpoints') this.tables.hasCheckpoints = true;
    this.#store.addTable(place, layout.kind, layout.isShallow);
  }

  #row(section: DumpSection, fields: RowFields): void {
    const { layout, place } = section;
    if (layout === null) return;
    section.rows += 1;
    if (fields.count !== layout.width) {
      const happened = `a row has ${fields.count} fields`;
      throw this.#error(
        { happened, expected: `${layout.width} as the columns say`, remedy: dumpAgain },
        section,
      );
    }
    try {
      const row = this.#decoder.decode(fields, layout);
      if (row !== null) this.#store.add(place, row);
    } catch (error) {
      if (!(error instanceof RowFault) && !(error instanceof DecodeError)) throw error;
      throw this.#error({ happened: error.message, remedy: damagedRow, cause: error }, section);
    }
  }

  #error(fault: DumpFault, section: DumpSection | null = this.#section): Error {
    const place: DumpPlace = {
      source: this.#source,
      byte: this.#byte,
      line: this.#line,
      table: section === null ? null : tableText(section.name),
      row: section === null || section.rows === 0 ? null : section.rows,
    };
    return dumpError(place, fault);
  }
}

const damagedRow =
  'The row is damaged or not LangGraph’s; make the dump again with pg_dump --encoding=UTF8, or delete the row.';

function unsupportedCopy(options: string): DumpFault {
  return {
    happened: `the data is in COPY's form "${options}"`,
    expected: 'the text form that pg_dump writes',
    remedy: 'Make the dump with pg_dump.',
  };
}
