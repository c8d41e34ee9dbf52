/**
 * When does the database show what was made? Rows of a run that is at work are stored behind its back, so that a node is
 * held says nothing about them; and a lease of a killed worker ends later than its worker. Easy to get wrong: waiting a
 * fixed time here would let the machine's load decide what the population is.
 */
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { OperatorError } from '#src/failure/operator-error.ts';
import { monotonicMs } from '#src/protocol/monotonic.ts';
import { runTable } from './run-table.ts';

const pollMs = 10;
const patienceMs = 60_000;

/**
 * Resolves when each thread has the row behind its first node, and those of `half` a finished task on it as well.
 * *Fails* with OperatorError after a minute.
 */
export async function rowsStored(
  pool: pg.Pool,
  schema: string,
  threads: { readonly all: readonly string[]; readonly half: readonly string[] },
  signal: AbortSignal,
): Promise<void> {
  const [checkpoints, writes] = ['checkpoints', 'checkpoint_writes'].map(
    (table) => `${pg.escapeIdentifier(schema)}.${table}`,
  );
  await holds(signal, 'rows that were to be stored are missing', async () => {
    const { rows } = await pool.query<{ missing: number }>(
      `SELECT count(*)::int AS missing FROM unnest($1::text[]) AS wanted (thread) WHERE NOT EXISTS (
         SELECT FROM ${checkpoints ?? ''} AS c
         WHERE c.thread_id = wanted.thread AND c.checkpoint_ns = '' AND (c.metadata->>'step')::int >= 1
           AND (NOT wanted.thread = ANY ($2::text[]) OR EXISTS (
             SELECT FROM ${writes ?? ''} AS w
             WHERE w.thread_id = c.thread_id AND w.checkpoint_ns = '' AND w.checkpoint_id = c.checkpoint_id)))`,
      [threads.all, threads.half],
    );
    return rows[0]?.missing === 0;
  });
}

/** Resolves when no lease of these workers is valid any more. *Fails* with OperatorError after a minute. */
export async function leasesEnded(
  pool: pg.Pool,
  schema: string,
  pids: readonly number[],
  signal: AbortSignal,
): Promise<void> {
  await holds(signal, 'leases of killed workers do not end', async () => {
    const { rows } = await pool.query<{ valid: number }>(
      `SELECT count(*)::int AS valid FROM ${runTable(schema)}
       WHERE worker = ANY ($1::text[]) AND expires_at > clock_timestamp()`,
      [pids.map(String)],
    );
    return rows[0]?.valid === 0;
  });
}

async function holds(
  signal: AbortSignal,
  otherwise: string,
  condition: () => Promise<boolean>,
): Promise<void> {
  const began = monotonicMs();
  while (!(await condition())) {
    if (monotonicMs() - began > patienceMs) {
      throw new OperatorError({
        happened: `${otherwise} after ${patienceMs / 1000} s`,
        place: 'the database of the experiment',
        remedy: 'Look at the load of this machine and of the server, and run it again with a smaller -n.',
      });
    }
    await delay(pollMs, undefined, { signal });
  }
}
