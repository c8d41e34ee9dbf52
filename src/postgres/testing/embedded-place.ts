/**
 * For tests: an embedded server in a temporary folder of its own, and a pool of connections to it. Easy to get wrong: a
 * pool has ended before its sockets are closed, so that the stop of the server can still reach them as an error.
 */
import type pg from 'pg';
import type { DatabaseServer } from '../database-server.ts';
import { startEmbeddedServer } from '../embedded-server.ts';
import { openPool } from '../open-pool.ts';
import { startWatchdog } from '../watchdog.ts';
import { openSandbox } from './leftovers.ts';

/** A running server. */
export interface EmbeddedPlace {
  readonly server: DatabaseServer;
  readonly pool: pg.Pool;
  /** Stops everything; returns what is left behind: nothing, if all is well. */
  close(): Promise<readonly string[]>;
}

/** Starts a server. Cost: two seconds. */
export async function openEmbeddedPlace(): Promise<EmbeddedPlace> {
  const sandbox = await openSandbox();
  const watchdog = startWatchdog();
  const server = await startEmbeddedServer({ watchdog });
  const pool = poolOf(server);
  return {
    server,
    pool,
    close: async () => {
      await pool.end();
      await server.stop();
      await watchdog.close();
      const left = await sandbox.left(0);
      await sandbox.close();
      return left;
    },
  };
}

/** A pool that survives the stop of its server; `max` connections. To be ended. */
export function poolOf({ dsn }: DatabaseServer, max = 10): pg.Pool {
  return openPool({ connectionString: dsn, max });
}
