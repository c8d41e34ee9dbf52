/**
 * How is a short piece of work done on a server? Over one connection that is closed again whatever happens. Easy to
 * get wrong: the driver reports a connection that breaks between two statements as an event, which ends the process
 * unless somebody listens, and it waits for ever for a server that vanished, unless it is told not to.
 */
import pg from 'pg';
import { connectionFailure, isDriverFailure } from './connection-failure.ts';

/** What a short piece of work on the database may take. */
export interface WorkLimits {
  readonly connectMs: number;
  /** For each statement, waiting for locks included. */
  readonly statementMs: number;
}

const defaultLimits: WorkLimits = { connectMs: 10_000, statementMs: 30_000 };

/**
 * Connects, does `work`, disconnects. Failures of the server or the driver come out as `OperatorError`s that name the
 * place; whatever else `work` throws comes out as it is.
 */
export async function withClient<Result>(
  dsn: string,
  work: (client: pg.Client) => Promise<Result>,
  limits: WorkLimits = defaultLimits,
): Promise<Result> {
  const client = new pg.Client({
    connectionString: dsn,
    connectionTimeoutMillis: limits.connectMs,
    statement_timeout: limits.statementMs,
    // The server may be gone without a word; its own timeout would then never come.
    query_timeout: limits.statementMs + 5_000,
  });
  // A connection that breaks while idle must not become an uncaught exception; the next query reports it.
  client.on('error', () => undefined);
  try {
    await client.connect();
    return await work(client);
  } catch (error) {
    throw isDriverFailure(error) ? connectionFailure(error, dsn) : error;
  } finally {
    await client.end().catch(() => undefined);
  }
}
