/**
 * The statement of one schema: what the shards answered, put together to marks, one row a suspicious thread, and one
 * row of totals. Easy to get wrong: a totals row beside the threads costs nothing, a second statement would read the
 * tables again; it has no thread, and LangGraph's threads always have one.
 */
import { invariant } from '#analysis/model/bug.ts';
import { tableSql, textSql, whyAllTravel, type CensusSchema, type CensusTable } from './census-tables.ts';
import type { Mark } from './marks.ts';
import { blobsQuery, lineageQuery, writesQuery } from './shard-queries.ts';

/**
 * What the statement needs of its session. Without the first two, a partitioned table is put together before it is
 * grouped; compiling takes longer than it saves; and a group table of 100,000 threads should stay in memory.
 */
export const sessionSettings: readonly (readonly [name: string, value: string])[] = [
  ['enable_partitionwise_aggregate', 'on'],
  ['enable_partitionwise_join', 'on'],
  ['jit', 'off'],
  ['work_mem', "'64MB'"],
];

/**
 * The columns of the statement's rows: a thread with its marks (separated by spaces) and NULLs; or, once, NULLs and the
 * totals. Without an order.
 */
export const censusColumns = ['thread_id', 'marks', 'threads', 'namespaces', 'checkpoints'] as const;

/** The statement for a schema. Reads, and needs no privilege but SELECT. */
export function censusSql(schema: CensusSchema): string {
  const why = whyAllTravel(schema);
  return why === null ? suspectsSql(schema) : everyThreadSql(schema, why);
}

function mark(name: Mark): string {
  return `'${name}'`;
}

function suspectsSql({ checkpoints, blobs, writes }: CensusSchema): string {
  invariant(blobs !== null && writes !== null, 'whyAllTravel has looked');
  return `WITH lineage AS MATERIALIZED (
  -- Each namespace of each thread: is it one chain of single steps?
${lineageQuery(checkpoints)}
), writes AS MATERIALIZED (
  -- Each namespace: what was written last, and what no superstep committed.
${writesQuery(writes, checkpoints)}
), blobs AS MATERIALIZED (
  -- Each thread: are there Send lists?
${blobsQuery(blobs)}
), marks AS MATERIALIZED (
  SELECT thread_id, ${mark('lineage')} AS mark FROM lineage
  WHERE (children = checkpoints - 1 AND root IS NOT NULL AND (checkpoints = 1
         OR links = (hashtextextended(head, checkpoints - 2) >> 1) - (hashtextextended(root, -1) >> 1))) IS NOT TRUE
  UNION ALL
  SELECT w.thread_id, ${mark('head-writes')} FROM writes w LEFT JOIN lineage l USING (thread_id, checkpoint_ns)
  WHERE w.newest >= l.head OR l.head IS NULL
  UNION ALL
  SELECT thread_id, ${mark('dropped-writes')} FROM writes WHERE dropped > 0
  UNION ALL
  SELECT thread_id, ${mark('telling-writes')} FROM writes WHERE telling
  UNION ALL
  SELECT thread_id, ${mark('send-list')} FROM blobs WHERE send_lists > 0
  UNION ALL
  SELECT s.thread_id, ${mark('no-checkpoints')} FROM (SELECT thread_id FROM writes UNION SELECT thread_id FROM blobs) s
  WHERE NOT EXISTS (SELECT FROM lineage l WHERE l.thread_id = s.thread_id)
)
SELECT thread_id, string_agg(DISTINCT mark, ' ') AS marks,
       NULL::bigint AS threads, NULL::bigint AS namespaces, NULL::bigint AS checkpoints
FROM marks GROUP BY thread_id
UNION ALL
SELECT NULL, NULL,
       (SELECT count(DISTINCT thread_id) FROM lineage)
         + (SELECT count(DISTINCT thread_id) FROM marks WHERE mark = ${mark('no-checkpoints')}),
       (SELECT count(*) FROM lineage),
       (SELECT coalesce(sum(checkpoints), 0) FROM lineage)::bigint`;
}

/** Every thread of every table, with one mark. */
function everyThreadSql({ checkpoints, blobs, writes }: CensusSchema, why: Mark): string {
  const others = [blobs, writes].filter((table) => table !== null);
  return `WITH lineage AS MATERIALIZED (
  -- Each namespace of each thread.
  SELECT ${textSql(checkpoints, 'c', 'thread_id')} AS thread_id, ${textSql(checkpoints, 'c', 'checkpoint_ns')} AS checkpoint_ns, count(*) AS checkpoints
  FROM ${tableSql(checkpoints)} c
  GROUP BY ${textSql(checkpoints, 'c', 'thread_id')}, ${textSql(checkpoints, 'c', 'checkpoint_ns')}
), known AS MATERIALIZED (
  SELECT thread_id FROM lineage${others.map((table) => `\n  UNION ${threadsOf(table)}`).join('')}
)
SELECT thread_id, ${mark(why)} AS marks,
       NULL::bigint AS threads, NULL::bigint AS namespaces, NULL::bigint AS checkpoints
FROM known GROUP BY thread_id
UNION ALL
SELECT NULL, NULL, (SELECT count(DISTINCT thread_id) FROM known), (SELECT count(*) FROM lineage),
       (SELECT coalesce(sum(checkpoints), 0) FROM lineage)::bigint`;
}

function threadsOf(table: CensusTable): string {
  const thread = textSql(table, 't', 'thread_id');
  return `SELECT ${thread} FROM ${tableSql(table)} t GROUP BY ${thread}`;
}
