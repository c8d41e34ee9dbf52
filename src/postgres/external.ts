/**
 * Can a series run on this server of somebody else? Input: a connection string; output: the server, or an
 * `OperatorError` that says what is missing. Easy to get wrong: a role that may log in may still not create a schema,
 * and a standby answers every question until the first write, so both are asked before any worker starts.
 */
import { invariant } from '#analysis/model/bug.ts';
import { OperatorError } from '#src/failure/operator-error.ts';
import { connectionFailure } from './connection-failure.ts';
import type { DatabaseServer } from './database-server.ts';
import { formatDsn, parseDsn, unreadableDsn } from './dsn.ts';
import { booleanField, integerField, textField } from './row-fields.ts';
import { sqlstate } from './sqlstate.ts';
import { withClient } from './with-client.ts';

/** How to reach somebody else's server. */
export interface ExternalOptions {
  /** For the connection and its one query. Default 10,000. */
  readonly timeoutMs?: number;
}

/**
 * Connects once, checks that schemas can be created, and disconnects.
 * Fails with an `OperatorError` naming host, port, database and remedy.
 */
export async function connectExternal(text: string, options: ExternalOptions = {}): Promise<DatabaseServer> {
  const parsed = parseDsn(text);
  if (parsed === null) {
    throw new OperatorError({
      happened: 'this is no connection string',
      place: unreadableDsn,
      expected: 'postgres://user:password@host:port/database, or host=… dbname=…',
      remedy: 'Percent-encode the special characters of the password (encodeURIComponent does it).',
    });
  }
  const dsn = formatDsn(parsed);
  const facts = await askServer(dsn, options.timeoutMs ?? 10_000);
  if (facts.readOnly) throw connectionFailure({ code: sqlstate.readOnlyTransaction }, dsn);
  if (!facts.mayCreate) throw connectionFailure({ code: sqlstate.insufficientPrivilege }, dsn);
  return {
    dsn,
    localDsn: dsn,
    kind: 'external',
    serverVersion: facts.version,
    maxConnections: facts.maxConnections,
    processIds: [],
    lost: new AbortController().signal,
    stop: () => Promise.resolve(),
  };
}

interface ServerFacts {
  readonly version: string;
  readonly maxConnections: number;
  readonly mayCreate: boolean;
  readonly readOnly: boolean;
}

const factsQuery = `
  SELECT current_setting('server_version') AS version,
         current_setting('max_connections')::int AS max_connections,
         has_database_privilege(current_database(), 'CREATE') AS may_create,
         current_setting('transaction_read_only')::bool AS read_only`;

async function askServer(dsn: string, timeoutMs: number): Promise<ServerFacts> {
  const limits = { connectMs: timeoutMs, statementMs: timeoutMs };
  return withClient(
    dsn,
    async (client) => {
      const [row] = (await client.query<Record<string, unknown>>(factsQuery)).rows;
      invariant(row !== undefined, 'a query without FROM gives one row');
      return {
        version: textField(row, 'version'),
        maxConnections: integerField(row, 'max_connections'),
        mayCreate: booleanField(row, 'may_create'),
        readOnly: booleanField(row, 'read_only'),
      };
    },
    limits,
  );
}
