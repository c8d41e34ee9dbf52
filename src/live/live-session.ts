/**
 * One connection with one READ ONLY, REPEATABLE READ transaction, from which rows are copied. Easy to get wrong: a
 * pooler such as PgBouncer refuses unknown startup parameters, so every limit is set inside the transaction; and a
 * statement goes on in the server after its client is gone, so it is cancelled before the connection is cut.
 */
import { once } from 'node:events';
import pg from 'pg';
import { to as copyTo } from 'pg-copy-streams';
import { invariant } from '#analysis/model/bug.ts';
import { formatDsn, parseDsn, withParameter } from '../postgres/dsn.ts';
import { booleanField, integerField, textField, type DriverRow } from '../postgres/row-fields.ts';
import { withClient } from '../postgres/with-client.ts';
import { liveFailure } from './live-failure.ts';
import type { LiveSettings } from './live-settings.ts';

/** What the server said of itself when the transaction began. */
export interface ServerFacts {
  /** 150018 is 15.18. */
  readonly version: number;
  readonly isStandby: boolean;
  readonly role: string;
  readonly database: string;
}

const factsSql = `
  SELECT current_setting('server_version_num')::int AS version, pg_is_in_recovery() AS standby,
         pg_backend_pid() AS pid, current_user::text AS role, current_database()::text AS database`;

/** Chunks of a megabyte: smaller ones cost speed. */
const chunkBytes = 1 << 20;

/** How long a last word to the server may take. */
const cancelTimeoutMs = 5_000;

/** What of pg's Client (8.23) its types leave out. */
interface ClientInternals {
  readonly connection: pg.Connection;
  ref(): void;
  unref(): void;
}

/** An open transaction. One thing at a time is asked of it; what is asked meanwhile waits. */
export class LiveSession {
  readonly #client: pg.Client & ClientInternals;
  readonly #dsn: string;
  readonly #settings: LiveSettings;
  readonly #stop: AbortSignal;
  readonly #onStop = (): void => void this.close();
  #facts: ServerFacts | null = null;
  #pid = 0;
  #turn: Promise<unknown> = Promise.resolve();
  #isBusy = false;
  #keeper: NodeJS.Timeout | null = null;
  #closing: Promise<void> | null = null;

  private constructor(dsn: string, settings: LiveSettings, stop: AbortSignal) {
    this.#dsn = dsn;
    this.#settings = settings;
    this.#stop = stop;
    this.#client = new pg.Client({
      connectionString: dsn,
      connectionTimeoutMillis: settings.connectTimeoutMs,
      keepAlive: true,
    }) as pg.Client & ClientInternals;
    // A connection that breaks while idle must not become an uncaught exception; the next statement reports it.
    this.#client.on('error', () => undefined);
  }

  /**
   * Connects and begins. `snapshot`: another session's, to see exactly the rows it sees; null: one of its own. Aborting
   * `stop` at any moment cancels what runs and closes the connection. *Fails* with OperatorError, and with the
   * signal's reason once it is aborted.
   */
  static async open(
    dsn: string,
    settings: LiveSettings,
    stop: AbortSignal,
    snapshot: string | null = null,
  ): Promise<LiveSession> {
    stop.throwIfAborted();
    const session = new LiveSession(namedDsn(dsn), settings, stop);
    stop.addEventListener('abort', session.#onStop, { once: true });
    try {
      // The driver leaves a connection attempt unanswered that is ended meanwhile.
      await Promise.race([session.#begin(snapshot), aborted(stop)]);
    } catch (error) {
      await session.close();
      throw session.#failure(error, null);
    }
    return session;
  }

  get facts(): ServerFacts {
    invariant(this.#facts !== null, 'open has asked for them');
    return this.#facts;
  }

  async #begin(snapshot: string | null): Promise<void> {
    const { statementTimeoutMs, lockTimeoutMs, idleTimeoutMs } = this.#settings;
    await this.#client.connect();
    const steps = [
      'BEGIN TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY',
      ...(snapshot === null ? [] : [`SET TRANSACTION SNAPSHOT ${pg.escapeLiteral(snapshot)}`]),
      // Nothing that somebody put into a schema of the search path can stand in for a function of Postgres.
      'SET LOCAL search_path = pg_catalog',
      `SET LOCAL statement_timeout = ${statementTimeoutMs}`,
      `SET LOCAL lock_timeout = ${lockTimeoutMs}`,
      `SET LOCAL idle_in_transaction_session_timeout = ${idleTimeoutMs}`,
      "SET LOCAL bytea_output = 'hex'",
      // A policy that hides rows becomes an error, as in pg_dump; half a tree would be judged wrongly.
      'SET LOCAL row_security = off',
    ];
    for (const step of steps) await this.#client.query(step);
    const [row] = (await this.#client.query<DriverRow>(factsSql)).rows;
    invariant(row !== undefined, 'a query without FROM gives one row');
    this.#pid = integerField(row, 'pid');
    this.#facts = {
      version: integerField(row, 'version'),
      isStandby: booleanField(row, 'standby'),
      role: textField(row, 'role'),
      database: textField(row, 'database'),
    };
    // The event loop need not live for a transaction of which nothing is asked.
    this.#client.unref();
    if (idleTimeoutMs > 0) this.#keepAwake(idleTimeoutMs / 3);
  }

  /** The idle timeout is for a process that hangs; one that analyses what it has read says so now and then. */
  #keepAwake(everyMs: number): void {
    this.#keeper = setInterval(() => {
      if (!this.#isBusy) void this.query('SELECT 1', null).catch(() => undefined);
    }, everyMs).unref();
  }

  /** The rows of a query. `reading`: what is read, for messages. */
  async query(
    sql: string,
    reading: string | null,
    values: readonly unknown[] = [],
  ): Promise<readonly DriverRow[]> {
    return this.#exclusively(
      reading,
      async () => (await this.#client.query<DriverRow>(sql, [...values])).rows,
    );
  }

  /** A name under which other sessions of the same server see this one's rows, while this one is open. */
  async exportSnapshot(): Promise<string> {
    const [row] = await this.query('SELECT pg_export_snapshot() AS snapshot', null);
    invariant(row !== undefined, 'a query without FROM gives one row');
    return textField(row, 'snapshot');
  }

  /** The bytes that `COPY (select) TO STDOUT` sends, as text. Who stops reading early must close the session. */
  async *copy(select: string, reading: string): AsyncGenerator<Buffer> {
    const release = await this.#take();
    const stream = this.#client.query(
      copyTo(`COPY (${select}) TO STDOUT (FORMAT text)`, { highWaterMark: chunkBytes }),
    );
    try {
      for await (const chunk of stream) {
        this.#stop.throwIfAborted();
        yield chunk as Buffer;
      }
      this.#stop.throwIfAborted();
    } catch (error) {
      release();
      throw this.#failure(error, reading);
    }
    // Not in a finally: a reading that was left in the middle still runs in the server, and nothing may follow it.
    release();
  }

  /** Ends the transaction and the connection, cancelling what still runs. Never fails; calling it again is harmless. */
  close(): Promise<void> {
    return (this.#closing ??= this.#close());
  }

  async #close(): Promise<void> {
    this.#stop.removeEventListener('abort', this.#onStop);
    if (this.#keeper !== null) clearInterval(this.#keeper);
    if (this.#isBusy) await this.#cancel();
    const { stream } = this.#client.connection;
    // A server that does not answer would be waited for; one that never did is not even asked.
    if (this.#facts === null) stream.destroy();
    const patience = setTimeout(() => stream.destroy(), cancelTimeoutMs);
    // An open transaction ends with its connection, and has nothing to undo.
    await this.#client.end().catch(() => undefined);
    clearTimeout(patience);
  }

  async #cancel(): Promise<void> {
    const limits = { connectMs: cancelTimeoutMs, statementMs: cancelTimeoutMs };
    // The id is this session's until its connection is cut; the name keeps out whatever a pooler may have put there.
    const sql = `SELECT pg_catalog.pg_cancel_backend(pid) FROM pg_catalog.pg_stat_activity
                 WHERE pid = $1 AND application_name = '${applicationName}'`;
    // Where no second connection is to be had, the server notices the first one's end when it sends the next row.
    await withClient(this.#dsn, (client) => client.query(sql, [this.#pid]), limits).catch(() => undefined);
  }

  async #exclusively<Result>(reading: string | null, work: () => Promise<Result>): Promise<Result> {
    const release = await this.#take();
    try {
      return await work();
    } catch (error) {
      throw this.#failure(error, reading);
    } finally {
      release();
    }
  }

  /** Waits until nobody else asks; the result ends this turn. */
  async #take(): Promise<() => void> {
    const before = this.#turn;
    let end = (): void => undefined;
    this.#turn = new Promise<void>((resolve) => (end = resolve));
    await before;
    if (this.#stop.aborted) end();
    this.#stop.throwIfAborted();
    this.#isBusy = true;
    this.#client.ref();
    return () => {
      this.#isBusy = false;
      this.#client.unref();
      end();
    };
  }

  #failure(error: unknown, reading: string | null): unknown {
    return this.#stop.aborted ? this.#stop.reason : liveFailure(error, this.#dsn, reading);
  }
}

/** What the server's administrators see of an audit in `pg_stat_activity`. */
export const applicationName = 'forkscope';

/** The driver lets a name in the string win over one in its options. */
function namedDsn(dsn: string): string {
  const parsed = parseDsn(dsn);
  invariant(parsed !== null, 'what is opened was parsed before');
  return formatDsn(withParameter(parsed, 'application_name', applicationName));
}

/** Never fulfilled; rejected with the signal's reason. */
async function aborted(stop: AbortSignal): Promise<never> {
  await once(stop, 'abort');
  throw stop.reason;
}
