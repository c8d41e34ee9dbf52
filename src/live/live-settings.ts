/**
 * What an audit may take of a live server. The defaults suit a production database on a bad night: it waits for no lock,
 * and no connection stays open in a forgotten terminal. Easy to get wrong: a statement here is the reading of one
 * table or a range of it, which on a large table rightly takes many minutes.
 */

/** Limits of every connection an audit opens. Zero means none, as in Postgres. */
export interface LiveSettings {
  /** For one statement, which may be the reading of a whole table. */
  readonly statementTimeoutMs: number;
  /** For the weakest lock there is (ACCESS SHARE), which only DDL makes anyone wait for. */
  readonly lockTimeoutMs: number;
  /** For a transaction of which nothing is asked: should this process hang, the server ends it. */
  readonly idleTimeoutMs: number;
  readonly connectTimeoutMs: number;
  /** At most so many at once; they share one snapshot. At least 1. */
  readonly connections: number;
  /** A table is read in ranges of about this size, so that connections can share it. At least one page. */
  readonly rangeBytes: number;
}

/** See the file's head. */
export const liveDefaults: LiveSettings = {
  statementTimeoutMs: 3_600_000,
  lockTimeoutMs: 5_000,
  idleTimeoutMs: 300_000,
  connectTimeoutMs: 10_000,
  connections: 2,
  rangeBytes: 512 * 1024 * 1024,
};
