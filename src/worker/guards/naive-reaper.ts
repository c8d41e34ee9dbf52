/**
 * A reaper as it is often written: whoever goes on with a thread is let in when its newest checkpoint is old, because
 * then the worker must be dead. Easy to get wrong: rows are stored between supersteps, so their age says how long the
 * current superstep takes, and a live worker in a long one looks dead. New input is always let in.
 */
import pg from 'pg';
import { openPool } from '../../postgres/open-pool.ts';
import type { Guard, GuardContext } from './guard.ts';

/** A worker whose newest checkpoint is older is taken for dead, at scale 1. */
const unscaledStaleMs = 1000;

/** Makes the guard. */
export function naiveReaper({ dsn, schema, scale }: GuardContext): Guard {
  const staleMs = unscaledStaleMs * scale;
  const pool = openPool({ connectionString: dsn, max: 4, idleTimeoutMillis: 0 });
  const table = `${pg.escapeIdentifier(schema)}.checkpoints`;
  return {
    holdsUntil: 'stored',
    mayWait: false,
    enter: async ({ thread, input, resume }) => {
      if (input === null && resume === undefined) {
        const { rows } = await pool.query<{ age: number }>(
          `SELECT extract(epoch FROM clock_timestamp() - (checkpoint->>'ts')::timestamptz)::float8 * 1000 AS age
           FROM ${table} WHERE thread_id = $1 AND checkpoint_ns = '' ORDER BY checkpoint_id DESC LIMIT 1`,
          [thread],
        );
        const [newest] = rows;
        if (newest === undefined || newest.age < staleMs)
          return { kind: 'refused', because: `the newest checkpoint is not ${staleMs} ms old` };
      }
      return { kind: 'admitted', leave: () => Promise.resolve() };
    },
    close: () => pool.end(),
  };
}
