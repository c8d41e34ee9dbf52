/**
 * What does the rest of the program know of a database server? The same few things, whether it was started here or
 * belongs to somebody else. Easy to get wrong: `dsn` holds the password, so show it with `redactDsn` only.
 */

/** A Postgres server to run a series on. */
export interface DatabaseServer {
  /** A URL for the driver, password included. */
  readonly dsn: string;
  /** The cheapest way to it for processes of this machine and user: a socket file where there is one, else `dsn`. */
  readonly localDsn: string;
  /** `embedded`: started by this program, and gone after `stop`. `external`: somebody else's, never stopped. */
  readonly kind: 'embedded' | 'external';
  /** As the server says it, `15.18` or `16.4 (Debian 16.4-1)`. */
  readonly serverVersion: string;
  /** How many connections it accepts in all; the pools of all workers and the primary share them. */
  readonly maxConnections: number;
  /** Processes started for it: the postmaster of an embedded server, whose children end with it; else none. */
  readonly processIds: readonly number[];
  /**
   * Aborted, with an `OperatorError` as its reason, when an embedded server ends without `stop`. Never aborted for
   * an external one, whose end shows in failing queries only.
   */
  readonly lost: AbortSignal;
  /** Ends an embedded server and removes its files; does nothing to an external one. Calling it again is harmless. */
  stop(): Promise<void>;
}
