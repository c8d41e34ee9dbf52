/**
 * Which statement is this, as far as an audit cares? A dump is thousands of statements of which four kinds matter:
 * COPY, INSERT, the column order of CREATE TABLE and the membership of a partition; and three settings change how the
 * rest reads. Easy to get wrong: a function's body may hold semicolons outside any string (`BEGIN ATOMIC … END`).
 */
import { nameOf, literalBytes, tokenText, type TableName } from './sql-literal.ts';
import { nextToken, type Scan, type SqlDialect, type Token } from './sql-tokens.ts';

/** A statement, reduced to what the reader needs of it. */
export type Statement =
  | {
      readonly kind: 'copy';
      readonly table: TableName;
      readonly columns: readonly string[] | null;
      readonly options: string;
    }
  /** `valuesAt` is the offset of the first value list's parenthesis. */
  | {
      readonly kind: 'insert';
      readonly table: TableName;
      readonly columns: readonly string[] | null;
      readonly valuesAt: number;
    }
  | { readonly kind: 'create-table'; readonly table: TableName; readonly columns: readonly string[] }
  | { readonly kind: 'attach-partition'; readonly parent: TableName; readonly partition: TableName }
  | { readonly kind: 'setting'; readonly name: string; readonly value: string }
  | { readonly kind: 'other' };

const other: Statement = { kind: 'other' };

/**
 * The offset behind the semicolon that ends the statement starting at `start`. Semicolons inside parentheses (rules)
 * and inside the body of a function of SQL standard form do not end it. *Source*: psql's own scanner, `psqlscan.l`.
 */
export function statementEnd(bytes: Buffer, start: number, dialect: SqlDialect): Scan<number> {
  let at = start;
  let parentheses = 0;
  let blocks = 0;
  const opening: string[] = [];
  for (;;) {
    const token = nextToken(bytes, at, dialect, false);
    if (token === 'more' || token === null) return 'more';
    at = token.end;
    if (token.kind === 'mark') {
      const mark = bytes[token.start];
      if (mark === 0x28) parentheses += 1;
      else if (mark === 0x29) parentheses -= 1;
      else if (mark === 0x3b && parentheses <= 0 && blocks <= 0) return at;
    } else if (token.kind === 'word' && (opening.length < 4 || isRoutine(opening))) {
      const word = tokenText(bytes, token).toLowerCase();
      if (opening.length < 4) opening.push(word);
      if (isRoutine(opening))
        blocks += word === 'begin' || (word === 'case' && blocks > 0) ? 1 : word === 'end' ? -1 : 0;
    }
  }
}

function isRoutine(opening: readonly string[]): boolean {
  return opening[0] === 'create' && (opening.includes('function') || opening.includes('procedure'));
}

/** Reads the statement `bytes`, which ends with its semicolon. Statements it does not understand are `other`. */
export function readStatement(bytes: Buffer, dialect: SqlDialect): Statement {
  const reader = new TokenReader(bytes, dialect);
  switch (reader.word()) {
    case 'copy':
      return readCopy(reader);
    case 'insert':
      return readInsert(reader);
    case 'create':
      return readCreateTable(reader);
    case 'alter':
      return readAttach(reader);
    case 'set':
      return readSet(reader);
    case 'select':
      return readSetConfig(reader);
    default:
      return other;
  }
}

/** Walks the tokens of one complete statement. */
export class TokenReader {
  readonly bytes: Buffer;
  readonly #dialect: SqlDialect;
  #at: number;

  constructor(bytes: Buffer, dialect: SqlDialect, at = 0) {
    this.bytes = bytes;
    this.#dialect = dialect;
    this.#at = at;
  }

  /** The next token without passing it; null at the end. */
  peek(): Token | null {
    const token = nextToken(this.bytes, this.#at, this.#dialect, true);
    return token === 'more' ? null : token;
  }

  next(): Token | null {
    const token = this.peek();
    if (token !== null) this.#at = token.end;
    return token;
  }

  /** The next token as a lower-case keyword; `''` when it is no word. */
  word(): string {
    const token = this.next();
    return token?.kind === 'word' ? tokenText(this.bytes, token).toLowerCase() : '';
  }

  /** Passes the next token if it is this keyword. */
  accept(word: string): boolean {
    const token = this.peek();
    if (token?.kind !== 'word' || tokenText(this.bytes, token).toLowerCase() !== word) return false;
    this.#at = token.end;
    return true;
  }

  /** Passes the next token if it is this mark. */
  acceptMark(mark: string): boolean {
    const token = this.peek();
    if (token?.kind !== 'mark' || this.bytes[token.start] !== mark.charCodeAt(0)) return false;
    this.#at = token.end;
    return true;
  }

  /** `table` or `schema.table` (or `database.schema.table`); null when no name follows. */
  tableName(): TableName | null {
    let schema: string | null = null;
    for (;;) {
      const token = this.next();
      const table = token === null ? null : nameOf(this.bytes, token);
      if (table === null) return null;
      if (!this.acceptMark('.')) return { schema, table };
      schema = table;
    }
  }

  /** `(a, "b", c)`; null when no parenthesis follows. */
  nameList(): readonly string[] | null {
    if (!this.acceptMark('(')) return null;
    const names: string[] = [];
    for (let token = this.next(); token !== null; token = this.next()) {
      const name = nameOf(this.bytes, token);
      if (name !== null) names.push(name);
      else if (tokenText(this.bytes, token) === ')') break;
    }
    return names;
  }

  /** What is left of the statement, for messages. */
  rest(): string {
    return this.bytes.toString('utf8', this.#at).replace(/;\s*$/, '').trim();
  }
}

function readCopy(reader: TokenReader): Statement {
  const table = reader.tableName();
  if (table === null) return other;
  const columns = reader.nameList();
  if (!reader.accept('from') || !reader.accept('stdin')) return other;
  return { kind: 'copy', table, columns, options: reader.rest() };
}

function readInsert(reader: TokenReader): Statement {
  if (!reader.accept('into')) return other;
  const table = reader.tableName();
  if (table === null) return other;
  const columns = reader.nameList();
  if (reader.accept('overriding')) {
    reader.next();
    reader.accept('value');
  }
  if (!reader.accept('values')) return other;
  return { kind: 'insert', table, columns, valuesAt: reader.peek()?.start ?? 0 };
}

const tableKinds = ['unlogged', 'foreign', 'temporary', 'temp', 'local', 'global'];
const constraints: ReadonlySet<string> = new Set([
  'constraint',
  'primary',
  'unique',
  'check',
  'foreign',
  'exclude',
  'like',
]);

function readCreateTable(reader: TokenReader): Statement {
  while (tableKinds.some((kind) => reader.accept(kind)));
  if (!reader.accept('table')) return other;
  if (reader.accept('if')) while (reader.accept('not') || reader.accept('exists'));
  const table = reader.tableName();
  if (table === null || !reader.acceptMark('(')) return other;
  const columns: string[] = [];
  let depth = 1;
  let startsItem = true;
  for (let token = reader.next(); token !== null && depth > 0; token = reader.next()) {
    const mark = token.kind === 'mark' ? tokenText(reader.bytes, token) : '';
    if (mark === '(') depth += 1;
    else if (mark === ')') depth -= 1;
    else if (startsItem && depth === 1) {
      const name = nameOf(reader.bytes, token);
      const isConstraint = token.kind === 'word' && name !== null && constraints.has(name);
      if (name !== null && !isConstraint) columns.push(name);
    }
    startsItem = mark === ',' && depth === 1;
  }
  return { kind: 'create-table', table, columns };
}

function readAttach(reader: TokenReader): Statement {
  if (!reader.accept('table')) return other;
  reader.accept('only');
  const parent = reader.tableName();
  if (parent === null || !reader.accept('attach') || !reader.accept('partition')) return other;
  const partition = reader.tableName();
  return partition === null ? other : { kind: 'attach-partition', parent, partition };
}

/** `SET name = value, …;` keeps the first value: the first schema of a search path is where names are made. */
function readSet(reader: TokenReader): Statement {
  while (reader.accept('session') || reader.accept('local'));
  const name = reader.word();
  if (!reader.acceptMark('=') && !reader.accept('to')) return other;
  const token = reader.next();
  if (name === '' || token === null) return other;
  return { kind: 'setting', name, value: settingValue(reader.bytes, token) };
}

/** `SELECT pg_catalog.set_config('search_path', '', false);` is how pg_dump clears the search path. */
function readSetConfig(reader: TokenReader): Statement {
  if (reader.tableName()?.table !== 'set_config' || !reader.acceptMark('(')) return other;
  const name = reader.next();
  if (name === null || !reader.acceptMark(',')) return other;
  const value = reader.next();
  if (value === null) return other;
  return {
    kind: 'setting',
    name: settingValue(reader.bytes, name),
    value: settingValue(reader.bytes, value),
  };
}

function settingValue(bytes: Buffer, token: Token): string {
  return literalBytes(bytes, token)?.toString('utf8') ?? nameOf(bytes, token) ?? tokenText(bytes, token);
}
