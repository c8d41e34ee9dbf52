/**
 * Which tables of a database are LangGraph's, and may this role read them? Asked from the catalogue, which everyone may
 * read, so that a table behind a closed schema is not mistaken for none. Easy to get wrong: a partition belongs to its
 * root, and one table that may not be read makes the whole answer wrong, so it is an error and not left out.
 */
import pg from 'pg';
import { invariant } from '#analysis/model/bug.ts';
import {
  readColumns,
  tableKind,
  tableLayout,
  wantedTables,
  type Column,
  type TableKind,
} from '../dump/table-layout.ts';
import { OperatorError } from '../failure/operator-error.ts';
import { booleanField, textField, type DriverRow } from '../postgres/row-fields.ts';
import type { LiveSession } from './live-session.ts';

/** A table to be read. */
export interface LiveTable {
  readonly oid: string;
  readonly schema: string;
  readonly name: string;
  readonly kind: TableKind;
  /** The columns to be read, in LangGraph's own order; those that older versions lack are absent. */
  readonly columns: readonly Column[];
  /** Whether a column is text, and can be compared through its index. */
  readonly isText: (column: Column) => boolean;
  readonly isShallow: boolean;
}

// A view is somebody's choice of rows beside the table it shows: it is read only where its schema is asked for.
const columnsSql = `
  SELECT c.oid::text AS oid, n.nspname::text AS schema, c.relname::text AS name, a.attname::text AS "column",
         format_type(a.atttypid, NULL) AS type, has_schema_privilege(n.oid, 'USAGE') AS usage,
         has_column_privilege(c.oid, a.attnum, 'SELECT') AS "select"
  FROM pg_class c
  JOIN pg_namespace n ON n.oid = c.relnamespace
  JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
  WHERE c.relname = ANY ($1) AND NOT c.relispartition
    AND (c.relkind IN ('r', 'p', 'f') OR (c.relkind IN ('v', 'm') AND n.nspname = $2))
    AND ($2::text IS NULL OR n.nspname = $2) AND n.nspname !~ '^pg_'
  ORDER BY n.nspname, c.relname, a.attnum`;

interface Found {
  readonly oid: string;
  readonly schema: string;
  readonly name: string;
  readonly types: Map<string, string>;
  readonly usage: boolean;
  readonly refused: Set<string>;
}

/**
 * Finds the tables, of one schema or of all. Tables of the same names that are not LangGraph's are told to `note`.
 * *Fails* with OperatorError: none there, or one that may not be read, with the GRANTs that are missing.
 */
export async function findTables(
  session: LiveSession,
  place: string,
  schema: string | null,
  note: (sentence: string) => void,
): Promise<readonly LiveTable[]> {
  const found = group(await session.query(columnsSql, 'the catalogue', [wantedTables, schema]));
  const tables: LiveTable[] = [];
  const grants = new Set<string>();
  for (const one of found) {
    const table = langGraphTable(one);
    if (typeof table === 'string') {
      note(`The table ${one.schema}.${one.name} is not LangGraph's and is left out: ${table}.`);
      continue;
    }
    tables.push(table);
    for (const grant of missingGrants(one, table, session.facts.role)) grants.add(grant);
  }
  if (grants.size > 0) throw notAllowed(place, [...grants]);
  if (!tables.some(({ kind }) => kind === 'checkpoints')) throw noTables(place, schema);
  return tables;
}

function group(rows: readonly DriverRow[]): readonly Found[] {
  const found = new Map<string, Found>();
  for (const row of rows) {
    const oid = textField(row, 'oid');
    const table = found.get(oid) ?? {
      oid,
      schema: textField(row, 'schema'),
      name: textField(row, 'name'),
      types: new Map<string, string>(),
      usage: booleanField(row, 'usage'),
      refused: new Set<string>(),
    };
    found.set(oid, table);
    const column = textField(row, 'column');
    table.types.set(column, textField(row, 'type'));
    if (!booleanField(row, 'select')) table.refused.add(column);
  }
  return [...found.values()];
}

/** The table, or why it is not LangGraph's. */
function langGraphTable({ oid, schema, name, types }: Found): LiveTable | string {
  const kind = tableKind(name);
  invariant(kind !== null, 'only tables of the three names were asked for');
  const layout = tableLayout(kind, [...types.keys()]);
  if (!('kind' in layout)) return `it lacks ${layout.join(', ')}`;
  const blob = types.get('blob');
  if (kind !== 'checkpoints' && blob !== 'bytea') return `its column blob is ${String(blob)}, not bytea`;
  return {
    oid,
    schema,
    name,
    kind,
    columns: readColumns[kind].filter((column) => types.has(column)),
    isText: (column) => types.get(column) === 'text' || types.get(column) === 'character varying',
    isShallow: layout.isShallow,
  };
}

/** The name of a table in SQL. */
export function quoted({ schema, name }: Pick<LiveTable, 'schema' | 'name'>): string {
  return `${pg.escapeIdentifier(schema)}.${pg.escapeIdentifier(name)}`;
}

function missingGrants(found: Found, table: LiveTable, role: string): readonly string[] {
  const to = pg.escapeIdentifier(role);
  return [
    ...(found.usage ? [] : [`GRANT USAGE ON SCHEMA ${pg.escapeIdentifier(found.schema)} TO ${to};`]),
    ...(table.columns.some((column) => found.refused.has(column))
      ? [`GRANT SELECT ON ${quoted(table)} TO ${to};`]
      : []),
  ];
}

function notAllowed(place: string, grants: readonly string[]): OperatorError {
  return new OperatorError({
    happened: "the role may not read all of LangGraph's tables",
    place,
    remedy: `Run as their owner: ${grants.join(' ')} Or choose a schema that may be read with --schema.`,
  });
}

function noTables(place: string, schema: string | null): OperatorError {
  return new OperatorError({
    happened:
      schema === null
        ? 'no schema of the database holds a table checkpoints of LangGraph'
        : `no schema ${schema} holds a table checkpoints of LangGraph`,
    place,
    expected: "the tables of LangGraph's Postgres saver",
    remedy:
      schema === null
        ? 'Check the name of the database in the connection string.'
        : 'Give another --schema, or none for all.',
  });
}
