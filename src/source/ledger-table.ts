/**
 * A ledger that is a table of the audited database, read in the transaction that reads the rows, so that both are of one
 * moment. Easy to get wrong: a time without a zone is taken as UTC, whatever the session's own zone is; and the table is
 * fetched in portions, because a driver holds a whole result in memory.
 */
import pg from 'pg';
import { OperatorError } from '../failure/operator-error.ts';
import { booleanField, textField, type DriverRow } from '../postgres/row-fields.ts';
import { LedgerRecords, type Ledger, type LedgerReading } from './ledger.ts';

/** What is asked of a connection that has a transaction open; a client of the driver is one. */
export interface LedgerDatabase {
  query(sql: string, values?: unknown[]): Promise<{ readonly rows: readonly DriverRow[] }>;
}

/** A table as the operator names it. */
export interface LedgerTableName {
  /** Null: whichever schema has it, if only one does. */
  readonly schema: string | null;
  readonly name: string;
}

const part = String.raw`(?:"(?:[^"]|"")+"|[^".]+)`;
const tableName = new RegExp(`^(?:(?<schema>${part})\\.)?(?<name>${part})$`, 'u');

/** Reads `runs`, `app.runs` or `"App"."Runs"`; null for what is no name. Unquoted names are taken as they are written. */
export function parseTableName(text: string): LedgerTableName | null {
  const groups = tableName.exec(text)?.groups;
  const name = groups?.['name'];
  if (name === undefined) return null;
  const schema = groups?.['schema'];
  return { schema: schema === undefined ? null : unquoted(schema), name: unquoted(name) };
}

function unquoted(text: string): string {
  return text.startsWith('"') ? text.slice(1, -1).replaceAll('""', '"') : text;
}

/** The moment at which the transaction began, by the server's clock, Unix milliseconds. */
export async function serverNow(database: LedgerDatabase): Promise<number> {
  const { rows } = await database.query(
    "SELECT (pg_catalog.date_part('epoch', pg_catalog.now()) * 1000)::text AS now",
  );
  return Number(textField(rows[0] ?? {}, 'now'));
}

const columnsSql = `
  SELECT n.nspname::text AS schema, a.attname::text AS "column",
         a.atttypid IN ('timestamp'::pg_catalog.regtype, 'timestamptz'::pg_catalog.regtype,
                        'date'::pg_catalog.regtype) AS time
  FROM pg_catalog.pg_class c
  JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
  JOIN pg_catalog.pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
  WHERE c.relname = $1 AND c.relkind IN ('r', 'p', 'f', 'v', 'm') AND ($2::text IS NULL OR n.nspname = $2)
    AND n.nspname !~ '^pg_' AND n.nspname <> 'information_schema'
  ORDER BY n.nspname, a.attnum`;

/** Records a portion. */
const portion = 10_000;

/** Reads a table. *Fails* with OperatorError for one that is not there, and as the database does. */
export async function readLedgerTable(
  database: LedgerDatabase,
  table: LedgerTableName,
  { map, words }: LedgerReading,
): Promise<Ledger> {
  const { schema, columns } = await columnsOf(database, table);
  const place = `table ${schema}.${table.name}`;
  const wanted = [...new Set(map.fields.values())].filter((field) => columns.has(field));
  const ledger = new LedgerRecords(place, map, words);
  ledger.declare(columns.keys());
  const selected = wanted.map((name) => columnText(name, columns.get(name) === true)).join(', ');
  const from = `${pg.escapeIdentifier(schema)}.${pg.escapeIdentifier(table.name)}`;
  await database.query(`DECLARE forkscope_ledger NO SCROLL CURSOR FOR SELECT ${selected} FROM ${from}`);
  for (let number = 1; ;) {
    const { rows } = await database.query(`FETCH ${portion} FROM forkscope_ledger`);
    if (rows.length === 0) break;
    for (const row of rows) {
      ledger.add({ fields: new Map(Object.entries(row)), form: 'json', place: `${place}, row ${number}` });
      number += 1;
    }
  }
  await database.query('CLOSE forkscope_ledger');
  return ledger.end();
}

async function columnsOf(
  database: LedgerDatabase,
  { schema, name }: LedgerTableName,
): Promise<{ readonly schema: string; readonly columns: ReadonlyMap<string, boolean> }> {
  const { rows } = await database.query(columnsSql, [name, schema]);
  const schemas = [...new Set(rows.map((row) => textField(row, 'schema')))];
  const [found] = schemas;
  if (found === undefined || schemas.length > 1) {
    throw new OperatorError({
      happened:
        found === undefined
          ? 'there is no such table'
          : `${schemas.length} schemas have a table of this name`,
      place: `table ${schema === null ? '' : `${schema}.`}${name}`,
      ...(found === undefined
        ? {}
        : { expected: `one of ${schemas.map((held) => `${held}.${name}`).join(', ')}` }),
      remedy: 'Name the ledger as --ledger table:schema.name, letter case as in the database.',
    });
  }
  return {
    schema: found,
    columns: new Map(rows.map((row) => [textField(row, 'column'), booleanField(row, 'time')])),
  };
}

function columnText(name: string, isTime: boolean): string {
  const column = pg.escapeIdentifier(name);
  // Milliseconds, so that no zone or style of the session matters; infinity is no time.
  const text = isTime
    ? `CASE WHEN pg_catalog.isfinite(${column}) THEN (pg_catalog.date_part('epoch', ${column}) * 1000)::text END`
    : `${column}::text`;
  return `${text} AS ${column}`;
}
