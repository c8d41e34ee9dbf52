/**
 * A lease: one row a thread with owner, expiry and a fencing token that grows with every owner. The owner's heartbeat
 * moves the expiry; a lease that has expired is taken over. Easy to get wrong: an owner that was stopped does not know
 * that its lease has expired, and goes on writing; only a check where the rows are stored keeps it out.
 * *Source*: Kleppmann, "How to do distributed locking" (2016), fencing tokens.
 */
import type pg from 'pg';
import pgDefault from 'pg';
import { openPool } from '../../postgres/open-pool.ts';
import { fenceKey } from '../fence.ts';
import type { Guard, GuardContext } from './guard.ts';

/** How long a lease is held without a heartbeat, at scale 1. */
const unscaledLeaseMs = 5000;

const heartbeatsPerLease = 5;

/** Makes the guard. `isFenced`: rows of a run whose lease was taken over are refused by the database. */
export async function lease(
  { isFenced }: { readonly isFenced: boolean },
  { dsn, schema, worker, scale }: GuardContext,
): Promise<Guard> {
  const leaseMs = unscaledLeaseMs * scale;
  const pool = openPool({ connectionString: dsn, max: 8, idleTimeoutMillis: 0 });
  const table = `${pgDefault.escapeIdentifier(schema)}.forkscope_leases`;
  await prepare(pool, schema, table);
  return {
    holdsUntil: 'stored',
    mayWait: false,
    enter: async ({ thread, run }) => {
      const owner = `${worker} ${run}`;
      const { rows } = await pool.query<{ token: number }>(
        `INSERT INTO ${table} AS held (thread_id, owner, token, expires_at)
         VALUES ($1, $2, 1, clock_timestamp() + $3 * interval '1 ms')
         ON CONFLICT (thread_id) DO UPDATE
           SET owner = $2, token = held.token + 1, expires_at = clock_timestamp() + $3 * interval '1 ms'
           WHERE held.expires_at < clock_timestamp()
         RETURNING token`,
        [thread, owner, leaseMs],
      );
      const [held] = rows;
      if (held === undefined) return { kind: 'refused', because: 'another run has the lease of the thread' };
      const mine = [thread, held.token] as const;
      const beat = setInterval(() => {
        pool
          .query(
            `UPDATE ${table} SET expires_at = clock_timestamp() + $3 * interval '1 ms' WHERE thread_id = $1 AND token = $2`,
            [...mine, leaseMs],
          )
          // A beat that is lost lets the lease expire, which is what a lease is for.
          .catch(() => undefined);
      }, leaseMs / heartbeatsPerLease);
      return {
        kind: 'admitted',
        ...(isFenced ? { fence: held.token } : {}),
        leave: async () => {
          clearInterval(beat);
          // The row stays, and its token with it: the next owner's must be greater.
          await pool.query(
            `UPDATE ${table} SET expires_at = clock_timestamp() - interval '1 ms' WHERE thread_id = $1 AND token = $2`,
            [...mine],
          );
        },
      };
    },
    close: () => pool.end(),
  };
}

/**
 * The table, and the fence: a row that carries an older token than the lease's is refused where it is stored. Workers
 * do this at once, so it is done under a lock.
 */
async function prepare(pool: pg.Pool, schema: string, table: string): Promise<void> {
  const named = (name: string) => `${pgDefault.escapeIdentifier(schema)}.${name}`;
  const client = await pool.connect();
  try {
    await client.query('BEGIN');
    await client.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 1))', [table]);
    await client.query(
      `CREATE TABLE IF NOT EXISTS ${table} (thread_id text PRIMARY KEY, owner text NOT NULL, token int NOT NULL, expires_at timestamptz NOT NULL)`,
    );
    await client.query(
      `CREATE OR REPLACE FUNCTION ${named('forkscope_fence')}() RETURNS trigger LANGUAGE plpgsql AS $$
       BEGIN
         IF (NEW.metadata->>'${fenceKey}')::int < (SELECT token FROM ${table} WHERE thread_id = NEW.thread_id FOR SHARE) THEN
           RAISE EXCEPTION 'the lease of thread % was taken over', NEW.thread_id USING ERRCODE = 'object_not_in_prerequisite_state';
         END IF;
         RETURN NEW;
       END $$`,
    );
    await client.query(
      `CREATE OR REPLACE TRIGGER forkscope_fence BEFORE INSERT OR UPDATE ON ${named('checkpoints')} FOR EACH ROW EXECUTE FUNCTION ${named('forkscope_fence')}()`,
    );
    await client.query('COMMIT');
  } catch (error) {
    await client.query('ROLLBACK').catch(() => undefined);
    throw error;
  } finally {
    client.release();
  }
}
