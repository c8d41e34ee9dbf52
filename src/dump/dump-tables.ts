/**
 * What a dump's statements have said so far that changes how its data reads: the columns of tables, which table a
 * partition belongs to, the search path, the database. Easy to get wrong: old dumps set a search path and then name
 * tables without their schema.
 */
import type { DumpFault } from './dump-place.ts';
import { tableText, type TableName } from './sql-literal.ts';
import type { SqlDialect } from './sql-tokens.ts';
import type { Statement } from './statements.ts';
import { createdColumns, tableKind, tableLayout, type TableKind, type TableLayout } from './table-layout.ts';
import type { TablePlace } from './table-place.ts';

/** One table's data. */
export interface DumpSection {
  /** The table as the dump names it; a partition under its own name. */
  readonly name: TableName;
  readonly place: TablePlace;
  /** Null for a table whose name is none of LangGraph's. */
  readonly kind: TableKind | null;
  /** Null when the table's data is to be skipped. */
  readonly layout: TableLayout | null;
  /** Rows seen. */
  rows: number;
}

/** Facts about the tables of one dump, learnt as its statements come. */
export class DumpTables {
  dialect: SqlDialect = { standardStrings: true };
  #database: string | null = null;
  #defaultSchema = 'public';
  readonly #columns = new Map<string, readonly string[]>();
  readonly #parents = new Map<string, TableName>();
  readonly #sections = new Map<string, DumpSection>();
  /** Tables of the right name without the columns LangGraph's have: name → missing columns. */
  readonly strangers = new Map<string, readonly string[]>();

  /** True once the dump has brought the data of a table `checkpoints` of LangGraph's, if only no rows. */
  hasCheckpoints = false;

  /** The data that follows is another database's (pg_dumpall). */
  connect(database: string): void {
    this.#database = database;
    this.#defaultSchema = 'public';
    this.dialect = { standardStrings: true };
    this.#columns.clear();
    this.#parents.clear();
    this.#sections.clear();
  }

  /** Takes note of a statement; returns what is wrong with it for this reader, or null. */
  learn(statement: Statement): DumpFault | null {
    if (statement.kind === 'create-table') {
      this.#columns.set(this.#key(statement.table), statement.columns);
    } else if (statement.kind === 'attach-partition') {
      this.#parents.set(this.#key(statement.partition), statement.parent);
    } else if (statement.kind === 'setting') return this.#set(statement.name, statement.value);
    return null;
  }

  #set(name: string, value: string): DumpFault | null {
    if (name === 'standard_conforming_strings') this.dialect = { standardStrings: value !== 'off' };
    else if (name === 'search_path') this.#defaultSchema = value === '' ? 'public' : value;
    else if (name === 'client_encoding' && !readableEncodings.has(value.toUpperCase())) {
      return {
        happened: `the dump is encoded in ${value}`,
        expected: 'UTF8',
        remedy: 'Make the dump again with pg_dump --encoding=UTF8.',
      };
    }
    return null;
  }

  /** Names of partitions, for tools that must be told which tables to read. */
  partitionsOf(tables: readonly string[]): readonly string[] {
    const wanted = new Set(tables);
    return [...this.#parents.keys()]
      .map((key) => JSON.parse(key) as [string, string])
      .filter(([schema, table]) => wanted.has(this.#rootOf({ schema, table }).table))
      .map(([, table]) => table);
  }

  /** The section of a table: one object for all statements that bring its rows. */
  section(name: TableName, columns: readonly string[] | null): DumpSection {
    const key = `${this.#key(name)} ${columns === null ? '' : JSON.stringify(columns)}`;
    const known = this.#sections.get(key);
    if (known !== undefined) return known;
    const root = this.#rootOf(name);
    const kind = tableKind(root.table);
    const place = { database: this.#database, schema: root.schema ?? this.#defaultSchema };
    const order = columns ?? this.#columns.get(this.#key(name)) ?? this.#columns.get(this.#key(root)) ?? null;
    const layout = kind === null || order === null ? null : this.#layout(kind, order, name);
    const section: DumpSection = { name, place, kind, layout, rows: 0 };
    this.#sections.set(key, section);
    return section;
  }

  /** True when a section's columns are not named anywhere, so that only LangGraph's own order can tell them. */
  isUnnamed(section: DumpSection, columns: readonly string[] | null): boolean {
    return (
      section.kind !== null &&
      columns === null &&
      section.layout === null &&
      !this.#columns.has(this.#key(section.name))
    );
  }

  /** The section of an unnamed table, with the column order LangGraph creates; null for a width it never had. */
  guess(section: DumpSection, width: number): DumpSection | null {
    const order = section.kind === null ? null : createdColumns(section.kind, width);
    return order === null ? null : this.section(section.name, order);
  }

  #layout(kind: TableKind, columns: readonly string[], name: TableName): TableLayout | null {
    const layout = tableLayout(kind, columns);
    if (isLayout(layout)) return layout;
    this.strangers.set(tableText(name), layout);
    return null;
  }

  #rootOf(name: TableName): TableName {
    let root = name;
    // A partition may itself be partitioned; a dump that says so in a circle must not hang the reader.
    for (let level = 0; level < 100; level += 1) {
      const parent = this.#parents.get(this.#key(root));
      if (parent === undefined) return root;
      root = parent;
    }
    return root;
  }

  #key({ schema, table }: TableName): string {
    return JSON.stringify([schema ?? this.#defaultSchema, table]);
  }
}

function isLayout(found: TableLayout | readonly string[]): found is TableLayout {
  return 'kind' in found;
}

/** SQL_ASCII means "whatever the bytes are"; they are checked row by row. */
const readableEncodings: ReadonlySet<string> = new Set(['UTF8', 'UTF-8', 'UNICODE', 'SQL_ASCII']);
