/**
 * What every shard is asked: one grouping a table, each by thread first, so that a shard answers for its own threads
 * and one row a namespace is all that leaves it. Easy to get wrong: postgres_fdw sends a grouping to its server only if
 * every function and operator in it is Postgres's own, immutable, and takes a text only beside a text column. So a
 * JSON key is a subscript: `->` takes it as a text and keeps the whole grouping at home, as COALESCE does.
 * Source: postgres_fdw's deparse.c, foreign_expr_walker, and the plan that a test looks at.
 */
import { tableSql, textSql, type CensusTable } from './census-tables.ts';

/**
 * Steps in this range are integers a bigint takes; jsonb sorts null and strings before numbers, all else after them.
 * FILTER is looked at before the argument, so the cast never sees anything else.
 */
const stepIsNumber = `c.metadata['step'] BETWEEN '-1000000000' AND '1000000000'`;

/**
 * One row a namespace. A chain is proved without looking at two rows at once: each row that sorts after its parent
 * gives the hash of its own id and step, less that of its parent's id and the step before. In a chain of single steps
 * all of these cancel out but the first row's and the head's. Anything else leaves a difference, but for a chance of
 * about 1 in 2^63 a namespace.
 */
export function lineageQuery(table: CensusTable): string {
  const thread = textSql(table, 'c', 'thread_id');
  const namespace = textSql(table, 'c', 'checkpoint_ns');
  const id = textSql(table, 'c', 'checkpoint_id');
  const parent = textSql(table, 'c', 'parent_checkpoint_id');
  return `SELECT ${thread} AS thread_id, ${namespace} AS checkpoint_ns,
       count(*) AS checkpoints,
       count(${parent}) AS children,
       max(${id}) AS head,
       max(${id}) FILTER (WHERE ${parent} IS NULL AND c.metadata['step'] = '-1') AS root,
       sum((hashtextextended(${id}, (c.metadata['step'])::bigint) >> 1)
         - (hashtextextended(${parent}, (c.metadata['step'])::bigint - 1) >> 1))
         FILTER (WHERE ${stepIsNumber} AND ${parent} ~<~ ${id}) AS links
FROM ${tableSql(table)} c
GROUP BY ${thread}, ${namespace}`;
}

/**
 * One row a namespace that has writes. Outputs have indices from 0, what else is stored of a task has negative ones
 * (in old versions also from 0). A row that comes from no loop commits nothing of its parent.
 */
export function writesQuery(writes: CensusTable, checkpoints: CensusTable): string {
  const thread = textSql(writes, 'w', 'thread_id');
  const namespace = textSql(writes, 'w', 'checkpoint_ns');
  const id = textSql(writes, 'w', 'checkpoint_id');
  return `SELECT ${thread} AS thread_id, ${namespace} AS checkpoint_ns,
       max(${id}) FILTER (WHERE w.idx >= 0) AS newest,
       count(c.thread_id) AS dropped,
       bool_or(${textSql(writes, 'w', 'channel')} IN (${tellingChannels.map((name) => `'${name}'`).join(', ')})) AS telling
FROM ${tableSql(writes)} w
LEFT JOIN ${tableSql(checkpoints)} c
  ON ${textSql(checkpoints, 'c', 'thread_id')} = ${thread}
  AND ${textSql(checkpoints, 'c', 'checkpoint_ns')} = ${namespace}
  AND ${textSql(checkpoints, 'c', 'parent_checkpoint_id')} = ${id}
  AND c.metadata['source'] IS DISTINCT FROM '"loop"'
GROUP BY ${thread}, ${namespace}`;
}

/**
 * Writes whose meaning needs the analysis: Send lists (which may be unreadable), results of functional calls and error
 * handlers (which `versions_seen` does not show), failures (beside which a finished task may never have run).
 */
const tellingChannels = ['__pregel_tasks', '__return__', '__error_source_node__', '__error__'];

/** One row a thread that has blobs. Keys alone; the blobs themselves are not read. */
export function blobsQuery(table: CensusTable): string {
  const thread = textSql(table, 'b', 'thread_id');
  return `SELECT ${thread} AS thread_id,
       count(*) FILTER (WHERE ${textSql(table, 'b', 'channel')} = '__pregel_tasks') AS send_lists
FROM ${tableSql(table)} b
GROUP BY ${thread}`;
}
