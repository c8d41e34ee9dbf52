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
  return `SELECT ${columns} FROM ${quoted(table)}${whereText(where)}`;
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

/** Whether an id has the shape of a version-6 UUID, told cheaply; its digits are looked at where it is read. */
const versionSixShape = '________-____-6___-____-____________';

function idOf(table: LiveTable): string {
  return table.isShallow ? "(checkpoint->>'id')" : 'checkpoint_id::text';
}

/**
 * One row a thread: its name, its greatest id that holds a time, and whether it has ids that hold none. Of a table as
 * LangGraph makes it this is answered from the primary key alone. `notBefore` and `before`: bounds of ids that leave out
 * threads whose greatest id says enough.
 */
export function selectNewestIds(
  table: LiveTable,
  where: string | null,
  { notBefore, before }: { readonly notBefore: string | null; readonly before: string | null },
): string {
  const isDated = `${idOf(table)} LIKE '${versionSixShape}'`;
  const newest = `max(${idOf(table)} COLLATE "C") FILTER (WHERE ${isDated})`;
  const isOpen = `bool_or(${isDated}) IS NOT TRUE OR NOT bool_and(${isDated})`;
  const having = [
    ...(notBefore === null ? [] : [`(${newest} >= '${notBefore}' OR ${isOpen})`]),
    ...(before === null ? [] : [`(${newest} < '${before}' OR ${isOpen})`]),
  ];
  return `SELECT thread_id, ${newest}, (${isOpen})::text FROM ${quoted(table)}${whereText(where)}
          GROUP BY thread_id${having.length === 0 ? '' : ` HAVING ${having.join(' AND ')}`}`;
}

/** One row a checkpoint whose id holds no time: the thread, and the `ts` that LangGraph wrote. */
export function selectStamps(table: LiveTable, where: string): string {
  return `SELECT thread_id, checkpoint->>'ts' FROM ${quoted(table)}
          WHERE ${where} AND (${idOf(table)} LIKE '${versionSixShape}') IS NOT TRUE`;
}

function whereText(where: string | null): string {
  return where === null ? '' : ` WHERE ${where}`;
}
