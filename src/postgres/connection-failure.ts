/**
 * Why did a connection or a statement fail, in the operator's words? Input: what the driver threw and the connection
 * string; output: an `OperatorError` that names host, port and database, never the password. Easy to get wrong: the
 * driver fills in what the string leaves out (PGHOST, PGUSER, the system's user name), so the place is asked from it.
 */
import pg from 'pg';
import { OperatorError } from '#src/failure/operator-error.ts';
import { codeOf, sqlstate } from './sqlstate.ts';
import { errorText } from '../failure/error-text.ts';

/** Where the driver really goes for a connection string, for a person to read. */
interface Target {
  readonly place: string;
  readonly user: string;
  readonly database: string;
  readonly hasPassword: boolean;
}

/** Host, port and database that the driver would use: `127.0.0.1:5432, database shop`. Opens no connection. */
export function placeOf(dsn: string): string {
  return targetOf(dsn).place;
}

/** Translates a failure of the driver. An `OperatorError` is returned as it is. */
export function connectionFailure(error: unknown, dsn: string): OperatorError {
  if (error instanceof OperatorError) return error;
  const target = targetOf(dsn);
  const { happened, remedy, expected } = explain(codeOf(error), error, target);
  return new OperatorError({
    happened,
    place: target.place,
    remedy,
    cause: error,
    ...(expected === undefined ? {} : { expected }),
  });
}

/** Whether the server or the driver threw it: with a code, or a plain error. A bug has a class of its own (`TypeError`). */
export function isDriverFailure(error: unknown): boolean {
  return codeOf(error) !== null || (error instanceof Error && error.name === 'Error');
}

function targetOf(dsn: string): Target {
  const client = new pg.Client({ connectionString: dsn });
  const database = client.database ?? client.user ?? '';
  return {
    place: `${client.host}:${client.port}, database ${database}`,
    user: client.user ?? '',
    database,
    hasPassword: typeof client.password === 'string' && client.password !== '',
  };
}

interface Explanation {
  readonly happened: string;
  readonly expected?: string;
  readonly remedy: string;
}

const startOne =
  'Start the server (docker compose up --wait starts one), correct the connection string, or leave it out to use the embedded server.';

function explain(code: string | null, error: unknown, target: Target): Explanation {
  switch (code) {
    case 'ECONNREFUSED':
    case 'ENOENT':
      return { happened: 'nothing listens there', expected: 'a Postgres server', remedy: startOne };
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return {
        happened: 'the host name has no address',
        remedy: 'Correct the host, or check name resolution.',
      };
    case 'EHOSTUNREACH':
    case 'ENETUNREACH':
    case 'ETIMEDOUT':
      return {
        happened: 'the host does not answer',
        remedy: 'Check the address, the network and its firewalls.',
      };
    case 'ECONNRESET':
    case 'EPIPE':
    case sqlstate.adminShutdown:
    case sqlstate.crashShutdown:
      return {
        happened: 'the server closed the connection',
        remedy: 'Look into the log of the server, then try again.',
      };
    case sqlstate.cannotConnectNow:
      return {
        happened: 'the server is starting up or shutting down',
        remedy: 'Try again once it accepts connections.',
      };
    case sqlstate.tooManyConnections:
      return {
        happened: 'the server has no connection left',
        remedy: 'Raise max_connections, or use fewer workers.',
      };
    case sqlstate.invalidPassword:
      return target.hasPassword
        ? {
            happened: `the password was refused for user ${target.user}`,
            remedy: 'Correct the password; special characters in a URL must be percent-encoded.',
          }
        : askForPassword(target);
    case sqlstate.invalidAuthorization:
      return {
        happened: `user ${target.user} may not connect from here`,
        remedy: 'Check that the role exists and may log in, and the lines of pg_hba.conf for this host.',
      };
    case sqlstate.invalidCatalogName:
      return {
        happened: `there is no database ${target.database}`,
        remedy: `Create it (createdb ${target.database}), or name one that exists.`,
      };
    case sqlstate.insufficientPrivilege:
      return {
        happened: `user ${target.user} lacks a privilege`,
        expected: 'the right to create schemas in the database',
        remedy: `Run GRANT CREATE ON DATABASE ${pg.escapeIdentifier(target.database)} TO ${pg.escapeIdentifier(target.user)} as its owner.`,
      };
    case sqlstate.readOnlyTransaction:
      return { happened: 'the server is read-only', remedy: 'Name the primary server instead of a standby.' };
    case sqlstate.diskFull:
      return { happened: 'the disk of the server is full', remedy: 'Free some space there.' };
    default:
      return explainText(code, error, target);
  }
}

/** The driver's own errors carry no code, so that their text is all there is to go by (pg 8.23). */
function explainText(code: string | null, error: unknown, target: Target): Explanation {
  const text = errorText(error);
  if (text === 'timeout expired' || text === 'Query read timeout') {
    return {
      happened: 'the server did not answer in time',
      remedy: 'Check the address, the load and the firewalls.',
    };
  }
  if (text.includes('client password must be a')) return askForPassword(target);
  const suffix = code === null ? '' : ` [${code}]`;
  return {
    happened: `Postgres or its driver failed: ${text}${suffix}`,
    remedy: 'Check the connection string and the log of the server.',
  };
}

function askForPassword(target: Target): Explanation {
  return {
    happened: `the server asks for a password of user ${target.user} and none was given`,
    remedy: 'Put it into the connection string or into PGPASSWORD.',
  };
}
