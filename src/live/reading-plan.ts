/**
 * How is the work of reading shared between connections? As a list of pieces, largest tables first, that each connection
 * takes from in turn. Easy to get wrong: ranges of pages tile a table only while nobody rewrites it (VACUUM FULL), so
 * the plan also takes the weak lock that keeps it as it is until the transaction ends.
 */
import { invariant } from '#analysis/model/bug.ts';
import { integerField, textField } from '../postgres/row-fields.ts';
import { pagesCondition, threadsCondition } from './copy-sql.ts';
import { quoted, type LiveTable } from './live-tables.ts';
import type { LiveSession } from './live-session.ts';

/** One statement's worth of reading. */
export interface Piece {
  readonly table: LiveTable;
  /** The condition on its rows in SQL; null: all. */
  readonly where: string | null;
}

/** Schema → the threads to be read of it; a schema that is absent is not read. */
export type WantedThreads = ReadonlyMap<string, readonly string[]>;

/** Before version 14 a range of pages is found by reading the whole table. */
const leastVersionForRanges = 140_000;

/** So many names go into one statement; more only make it longer to parse. */
export const threadsAStatement = 500;

/** Pieces that read every row of the tables once. *Cost*: a few questions to the catalogue a table. */
export async function planWhole(
  session: LiveSession,
  tables: readonly LiveTable[],
  rangeBytes: number,
): Promise<readonly Piece[]> {
  const planned: { readonly megabytes: number; readonly pieces: readonly Piece[] }[] = [];
  for (const table of tables) {
    await hold(session, table);
    const { megabytes, pages } = await sizeOf(session, table);
    const parts =
      pages === null ? 1 : Math.max(1, Math.min(pages, Math.ceil((megabytes * 2 ** 20) / rangeBytes)));
    const borders = Array.from({ length: parts - 1 }, (_, at) =>
      Math.ceil(((at + 1) * (pages ?? 0)) / parts),
    );
    planned.push({ megabytes, pieces: between(borders).map((where) => ({ table, where })) });
  }
  return planned.toSorted((one, other) => other.megabytes - one.megabytes).flatMap(({ pieces }) => pieces);
}

/** Pieces that read every row of the wanted threads once. */
export async function planThreads(
  session: LiveSession,
  tables: readonly LiveTable[],
  wanted: WantedThreads,
): Promise<readonly Piece[]> {
  const pieces: Piece[] = [];
  for (const table of tables) {
    await hold(session, table);
    const threads = wanted.get(table.schema) ?? [];
    // A table of which nothing is wanted must be seen to exist all the same: its absence would mean something else.
    if (threads.length === 0) pieces.push({ table, where: 'false' });
    for (let at = 0; at < threads.length; at += threadsAStatement) {
      pieces.push({ table, where: threadsCondition(table, threads.slice(at, at + threadsAStatement)) });
    }
  }
  return pieces;
}

function between(borders: readonly number[]): readonly (string | null)[] {
  const ends = [null, ...borders, null];
  return ends.slice(1).map((to, at) => pagesCondition(ends[at] ?? null, to));
}

/** A SELECT takes its lock even when it reads nothing, and the transaction keeps it. */
async function hold(session: LiveSession, table: LiveTable): Promise<void> {
  await session.query(`SELECT FROM ${quoted(table)} WHERE false`, tableText(table));
}

const sizeSql = `
  SELECT coalesce(sum(pg_table_size(c.oid)) / 1048576, 0)::int AS megabytes,
         coalesce(max(pg_relation_size(c.oid) / current_setting('block_size')::int), 0)::int AS pages,
         coalesce(bool_and(c.relkind = 'r' AND m.amname = 'heap'), false)::text AS ranges
  FROM (SELECT relid FROM pg_partition_tree($1::oid) WHERE isleaf UNION SELECT $1::oid) leaf (oid)
  JOIN pg_class c ON c.oid = leaf.oid AND c.relkind <> 'p'
  LEFT JOIN pg_am m ON m.oid = c.relam`;

/** `pages`: those of its largest partition, whose ranges divide the others too; null where ranges are no help. */
async function sizeOf(
  session: LiveSession,
  table: LiveTable,
): Promise<{ readonly megabytes: number; readonly pages: number | null }> {
  if (session.facts.version < leastVersionForRanges) return { megabytes: 0, pages: null };
  const [row] = await session.query(sizeSql, 'the catalogue', [table.oid]);
  invariant(row !== undefined, 'an aggregate without GROUP BY gives one row');
  const pages = integerField(row, 'pages');
  return {
    megabytes: integerField(row, 'megabytes'),
    pages: textField(row, 'ranges') === 'true' && pages > 0 ? pages : null,
  };
}

/** How messages call a table. */
export function tableText({ schema, name }: LiveTable): string {
  return `${schema}.${name}`;
}
