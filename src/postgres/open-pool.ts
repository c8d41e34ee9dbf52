/**
 * A pool of connections that outlives its server without ending the process. Easy to get wrong: a lost connection is
 * reported through the pool only while the client is idle; one that is lent out reports it itself, and an `error` event
 * that nobody listens to is an uncaught exception. *Source*: pg-pool 3, `idleListener`.
 */
import pg from 'pg';

/** Opens a pool. A lost server is told by the next query, or the one at work; the events say nothing beyond that. */
export function openPool(config: pg.PoolConfig): pg.Pool {
  const pool = new pg.Pool(config);
  pool.on('error', () => undefined);
  pool.on('connect', (client) => client.on('error', () => undefined));
  return pool;
}
