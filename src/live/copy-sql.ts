/**
 * What is asked of the server, as SQL, and the lines that make its answer a section of a plain dump. Easy to get
 * wrong: a value that nobody reads must not come over the wire, but whether it is NULL must.
 */
import pg from 'pg';
import type { Column } from '../dump/table-layout.ts';
import { wantsValueSql } from '../dump/wanted-values.ts';
import { quoted, type LiveTable } from './live-tables.ts';

/** Whether stored values come whole, or only those of channels the analysis reads. */
export type Values = 'wanted' | 'all';

/** The SELECT whose rows are a section's lines. `where`: a condition in SQL, null for all rows. */
export function selectRows(table: LiveTable, values: Values, where: string | null): string {
  const columns = table.columns.map((column) => expression(table, column, values)).join(', ');
  return `SELECT ${columns} FROM ${quoted(table)}${where === null ? '' : ` WHERE ${where}`}`;
}

function expression(table: LiveTable, column: Column, values: Values): string {
  const name = pg.escapeIdentifier(column);
  if (column !== 'blob' || values === 'all') return name;
  const channel = table.isText('channel') ? 'channel' : 'channel::text';
  return `CASE WHEN blob IS NULL THEN NULL WHEN ${wantsValueSql(channel)} THEN blob ELSE ''::bytea END`;
}

/** The statement that opens the section of a table in a plain dump. */
export function sectionHead(table: LiveTable): Buffer {
  const columns = table.columns.map((column) => pg.escapeIdentifier(column)).join(', ');
  return Buffer.from(`COPY ${quoted(table)} (${columns}) FROM stdin;\n`);
}

/** The line that closes a section. */
export const sectionEnd = Buffer.from('\\.\n');

/** Rows of these threads, through the index that every LangGraph table has on them. */
export function threadsCondition(table: LiveTable, threads: readonly string[]): string {
  const column = table.isText('thread_id') ? 'thread_id' : 'thread_id::text';
  return `${column} IN (${threads.map((thread) => pg.escapeLiteral(thread)).join(', ')})`;
}

/** Rows of a range of pages; null for an open end. */
export function pagesCondition(from: number | null, to: number | null): string | null {
  const bounds = [
    ...(from === null ? [] : [`ctid >= '(${from},0)'::tid`]),
    ...(to === null ? [] : [`ctid < '(${to},0)'::tid`]),
  ];
  return bounds.length === 0 ? null : bounds.join(' AND ');
}

const versionSix = '^[0-9a-f]{8}-[0-9a-f]{4}-6[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}$';

/**
 * One row a thread: its name, its greatest id that holds a time, and the greatest `ts` of rows whose id holds none.
 * `notBefore` and `before`: bounds of ids that leave out threads whose greatest id says enough.
 */
export function selectActivity(
  table: LiveTable,
  where: string | null,
  { notBefore, before }: { readonly notBefore: string | null; readonly before: string | null },
): string {
  const id = table.isShallow ? "(checkpoint->>'id')" : 'checkpoint_id::text';
  const isDated = `${id} ~ '${versionSix}'`;
  const newest = `max(${id} COLLATE "C") FILTER (WHERE ${isDated})`;
  const stamp = `max((checkpoint->>'ts') COLLATE "C") FILTER (WHERE NOT ${isDated})`;
  const having = [
    ...(notBefore === null
      ? []
      : [`(${newest} >= '${notBefore}' OR ${stamp} IS NOT NULL OR ${newest} IS NULL)`]),
    ...(before === null ? [] : [`(${newest} < '${before}' OR ${newest} IS NULL)`]),
  ];
  return `SELECT thread_id, ${newest}, ${stamp} FROM ${quoted(table)}${where === null ? '' : ` WHERE ${where}`}
          GROUP BY thread_id${having.length === 0 ? '' : ` HAVING ${having.join(' AND ')}`}`;
}
