/**
 * How does the schema of a series go away for certain, also after a kill? First its sessions are ended, then it is
 * dropped. Easy to get wrong: `DROP SCHEMA` alone waits for ever behind a transaction that a stopped worker holds open,
 * and comes too early for a `CREATE SCHEMA` that the killed primary had just sent.
 */
import pg from 'pg';
import { OperatorError } from '#src/failure/operator-error.ts';
import { placeOf } from './connection-failure.ts';
import type { SeriesSchema } from './series-schema-name.ts';
import { codeOf, sqlstate } from './sqlstate.ts';
import { withClient } from './with-client.ts';

/** How long sessions may take to end, and how long the drop may wait for locks of sessions that are not ours. */
const sessionsMs = 5_000;

/** Only sessions of one's own role can be ended without being a superuser, and ours all are. */
const endSessions = `
  SELECT count(pg_terminate_backend(pid))::int AS ended FROM pg_stat_activity
  WHERE application_name = $1 AND datname = current_database() AND usename = current_user
    AND pid <> pg_backend_pid()`;

/**
 * Drops the schema with everything in it; one that does not exist is no error. Sessions of the series are ended.
 * Fails with an `OperatorError` when the server cannot be reached or somebody else's session holds a lock.
 */
export async function dropSchema(dsn: string, schema: SeriesSchema): Promise<void> {
  await withClient(dsn, async (client) => {
    await endSessionsOf(client, schema);
    await client.query(`SET lock_timeout = ${sessionsMs}`);
    try {
      await client.query(`DROP SCHEMA IF EXISTS ${pg.escapeIdentifier(schema)} CASCADE`);
    } catch (error) {
      if (codeOf(error) !== sqlstate.lockNotAvailable) throw error;
      throw new OperatorError({
        happened: `schema ${schema} cannot be dropped, since another role's session holds a lock in it`,
        place: placeOf(dsn),
        remedy: `End that session, then run DROP SCHEMA ${pg.escapeIdentifier(schema)} CASCADE.`,
        cause: error,
      });
    }
  });
}

async function endSessionsOf(client: pg.Client, schema: SeriesSchema): Promise<void> {
  const deadline = performance.now() + sessionsMs;
  while (performance.now() < deadline) {
    const { rows } = await client.query<{ ended: unknown }>(endSessions, [schema]);
    if (rows[0]?.ended === 0) return;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
