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
import { ChunkJoiner } from './chunk-joiner.ts';
import { CopyData, CopyFault } from './copy-data.ts';
import { copyEncoded } from './copy-text.ts';
import { dumpAgain, dumpError, type DumpFault, type DumpPlace } from './dump-place.ts';
import { DumpTables, type DumpSection } from './dump-tables.ts';
import { insertRows, NotALiteral } from './insert-values.ts';
import type { RowSink } from './row-sink.ts';
import { readMetaCommand, readRemark } from './script-lines.ts';
import { tableText } from './sql-literal.ts';
import { blockCommentEnd, isSpace } from './sql-tokens.ts';
import { readStatement, statementEnd, TokenReader, type Statement } from './statements.ts';

const lineFeed = 0x0a;

/** Takes a fault of the text and returns, if reading goes on, or throws. */
export type OnFault = (error: Error) => void;

/**
 * Reads one dump's text; its rows go to a sink. Write chunks, then end. A fault after which nothing that follows can
 * be understood is thrown; others go to `onFault`, which throws them when the operator did not ask to go on.
 */
export class DumpText {
  readonly #source: string;
  readonly #sink: RowSink;
  readonly #onFault: OnFault;
  readonly #joiner = new ChunkJoiner((bytes, isLast) => this.#consume(bytes, isLast));
  /** What the statements so far said of tables and settings. */
  readonly tables: DumpTables;
  /** Offset and line of the first byte that no unit has taken. */
  #byte = 0;
  #line = 1;
  /** The section of COPY data the text is in; null in SQL. */
  #data: CopyData | null = null;
  #headers = 0;
  #footers = 0;

  constructor(source: string, sink: RowSink, tables = new DumpTables(), onFault: OnFault = rethrow) {
    this.#source = source;
    this.#sink = sink;
    this.tables = tables;
    this.#onFault = onFault;
  }

  write(chunk: Buffer): void {
    this.#joiner.write(chunk);
  }

  /** Tells `onFault` when the text ends where a complete dump cannot. */
  end(): void {
    const rest = this.#joiner.end();
    if (this.#data !== null) {
      const happened = `the dump ends inside the data of table ${tableText(this.#data.section.name)}`;
      const fault = { happened, expected: 'a line of \\. after the last row', remedy: dumpAgainOrGoOn };
      this.#onFault(this.#error(fault));
    } else if (rest.length > 0) {
      const happened = 'the dump ends inside a statement';
      this.#onFault(this.#error({ happened, expected: 'a semicolon', remedy: dumpAgainOrGoOn }));
    } else if (this.#headers > this.#footers) {
      const happened = 'the dump begins with the opening comment of pg_dump but lacks the closing one';
      const expected = '"PostgreSQL database dump complete"';
      this.#onFault(this.#error({ happened, expected, remedy: dumpAgainOrGoOn }));
    }
  }

  #consume(bytes: Buffer, isLast: boolean): number {
    let at = 0;
    for (;;) {
      const next =
        this.#data === null
          ? this.#sqlUnit(bytes, at, isLast)
          : this.#dataLines(this.#data, bytes, at, isLast);
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
      const section = this.tables.section(statement.table, statement.columns);
      this.#announce(section);
      const isText = statement.options === '' || section.layout === null;
      if (!isText) throw this.#error(unsupportedCopy(statement.options), section);
      const next = this.#advance(bytes, at, lineEnd + 1);
      this.#data = new CopyData(section, this.#sink, this.#byte, this.#line);
      return next;
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
        this.#insertedRow(known, values);
      }
    } catch (error) {
      if (!(error instanceof NotALiteral)) throw error;
      const happened = `an INSERT holds something that pg_dump does not write: ${error.message}`;
      const fault = { happened, remedy: 'Make the dump with pg_dump.', cause: error };
      this.#onFault(this.#error(fault, section));
    }
  }

  /** As the line that COPY would have had for it. */
  #insertedRow(section: DumpSection, values: readonly (Buffer | null)[]): void {
    section.rows += 1;
    const parts = values.flatMap((value, at) => [...(at === 0 ? [] : [fieldEnd]), copyEncoded(value)]);
    const line = Buffer.concat([...parts, lineEnd]);
    const place = { byte: this.#byte, line: this.#line, row: section.rows };
    this.#sink.lines(section, line, 0, Uint32Array.of(line.length), place);
  }

  #dataLines(data: CopyData, bytes: Buffer, start: number, isLast: boolean): number {
    let next: number;
    try {
      next = data.take(bytes, start, isLast);
    } catch (error) {
      if (!(error instanceof CopyFault)) throw error;
      throw this.#error(error.fault, data.section);
    } finally {
      this.#byte = data.byte;
      this.#line = data.line;
    }
    if (data.isOver) this.#data = null;
    return next;
  }

  #announce(section: DumpSection): void {
    if (section.layout === null) return;
    if (section.layout.kind === 'checkpoints') this.tables.hasCheckpoints = true;
    this.#sink.announce(section);
  }

  #error(fault: DumpFault, section: DumpSection | null = this.#data?.section ?? null): Error {
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

const fieldEnd = Buffer.from('\t');
const lineEnd = Buffer.from('\n');

const dumpAgainOrGoOn = `${dumpAgain} Or pass --keep-going to audit what was read and call the verdict unknown.`;

function rethrow(error: Error): never {
  throw error;
}

function unsupportedCopy(options: string): DumpFault {
  return {
    happened: `the data is in COPY's form "${options}"`,
    expected: 'the text form that pg_dump writes',
    remedy: 'Make the dump with pg_dump.',
  };
}
