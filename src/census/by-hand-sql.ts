/**
 * Questions for somebody with psql and no forkscope at hand: which rows are forks, and which versions did two branches
 * mint. An audit does not ask them, since the threads they are about travel and the analysis answers both; a test holds
 * the answers against each other. Easy to get wrong: NULL is a parent like any other, and GROUP BY agrees.
 */
import { tableSql, textSql, type CensusTable } from './census-tables.ts';

/** One row a fork: thread, namespace, parent (NULL: several roots), number of children. */
export function forksSql(table: CensusTable): string {
  const [thread, namespace, parent] = keys(table, 'c');
  return `SELECT ${thread} AS thread_id, ${namespace} AS checkpoint_ns, ${parent} AS parent_checkpoint_id, count(*) AS children
FROM ${tableSql(table)} c
GROUP BY ${thread}, ${namespace}, ${parent}
HAVING count(*) > 1`;
}

/**
 * One row a (channel, version) that several rows of a forked namespace introduced: their parents have another one. A
 * row without its parent's row tells nothing, and a copy (`source` `fork`, beside its original) names its original's versions by design.
 * Checkpoints are looked into in forked namespaces only.
 */
export function collisionsSql(table: CensusTable): string {
  const [thread, namespace, parent] = keys(table, 'c');
  const id = textSql(table, 'c', 'checkpoint_id');
  return `WITH forked AS MATERIALIZED (
  SELECT thread_id, checkpoint_ns FROM (
${forksSql(table)}
  ) forks GROUP BY thread_id, checkpoint_ns
), named AS MATERIALIZED (
  SELECT f.thread_id, f.checkpoint_ns, ${id} AS id, ${parent} AS parent, c.metadata->>'source' AS source,
         c.checkpoint->'channel_versions' AS versions, v.key AS channel, v.value AS version
  FROM forked f
  JOIN ${tableSql(table)} c ON ${thread} = f.thread_id AND ${namespace} = f.checkpoint_ns
  CROSS JOIN LATERAL jsonb_each_text(c.checkpoint->'channel_versions') v
)
SELECT n.thread_id, n.checkpoint_ns, n.channel, n.version, count(*) AS introducers
FROM named n
LEFT JOIN named p ON p.thread_id = n.thread_id AND p.checkpoint_ns = n.checkpoint_ns AND p.id = n.parent
  AND p.channel = n.channel AND p.version = n.version
WHERE p.id IS NULL
  AND (n.parent IS NULL OR EXISTS (
    SELECT FROM named e WHERE e.thread_id = n.thread_id AND e.checkpoint_ns = n.checkpoint_ns AND e.id = n.parent))
  AND NOT (n.source IS NOT DISTINCT FROM 'fork' AND EXISTS (
    SELECT FROM named s WHERE s.thread_id = n.thread_id AND s.checkpoint_ns = n.checkpoint_ns AND s.id <> n.id
      AND s.parent IS NOT DISTINCT FROM n.parent AND s.versions = n.versions))
GROUP BY n.thread_id, n.checkpoint_ns, n.channel, n.version
HAVING count(*) > 1`;
}

function keys(
  table: CensusTable,
  alias: string,
): readonly [thread: string, namespace: string, parent: string] {
  return [
    textSql(table, alias, 'thread_id'),
    textSql(table, alias, 'checkpoint_ns'),
    textSql(table, alias, 'parent_checkpoint_id'),
  ];
}
