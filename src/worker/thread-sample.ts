/** What a reader of a thread sees in this moment: how many checkpoints there are, and what the head says comes next. */
import pg from 'pg';
import type { CompiledGraph } from '#trials/graph.ts';
import type { ThreadSample } from '../protocol/run-request.ts';

/** Looks at a thread. *Cost*: a count by index and what `getState` reads. */
export async function sampleThread(
  pool: pg.Pool,
  schema: string,
  graph: CompiledGraph,
  thread: string,
): Promise<ThreadSample> {
  const table = `${pg.escapeIdentifier(schema)}.checkpoints`;
  const counted = await pool.query<{ rows: number }>(
    `SELECT count(*)::int AS rows FROM ${table} WHERE thread_id = $1`,
    [thread],
  );
  const { next } = await graph.getState({ configurable: { thread_id: thread } });
  return { rows: counted.rows[0]?.rows ?? 0, next: [...next] };
}
