/**
 * Postgres advisory locks as guards: one that is sound, and ways in which it is got wrong that look alike. Easy to get
 * wrong: which connection holds the lock, how long it lives, when it is given back, and what the key is made of.
 * *Source*: Postgres 15 manual, "Advisory Locks" and "Client Connection Defaults".
 */
import type pg from 'pg';
import { openPool } from '../../postgres/open-pool.ts';
import type { Admission, Guard, GuardContext, Refusal } from './guard.ts';

/** How a lock is taken and given back. */
export interface AdvisoryLock {
  /** `wait`: behind whoever has it, up to `timeoutMs`; `reject`: not at all. */
  readonly when: 'wait' | 'reject';
  /** What the lock lives as long as. `pooled-session`: taken and given back by queries on any connection of the pool. */
  readonly scope: 'transaction' | 'pooled-session';
  /** When an admitted run gives way; see {@link Guard.holdsUntil}. */
  readonly holdsUntil: Guard['holdsUntil'];
  /** 64 bits of the thread id, or 32 of them, as `hashtext` gives. */
  readonly key: 'hashtextextended' | 'hashtext';
  /** How long a run waits for the lock before it is turned away, milliseconds. */
  readonly timeoutMs: number;
  /** The pool it takes connections from: its own, or the one that the saver uses. */
  readonly pool: 'own' | 'saver';
  /**
   * Milliseconds after which the server ends an idle transaction, as managed servers do; null: never. `isExempt`: the
   * lock's transactions are set not to be ended.
   */
  readonly idleTimeout: { readonly ms: number; readonly isExempt: boolean } | null;
}

/** The lock as it should be. */
export const soundLock: AdvisoryLock = {
  when: 'wait',
  scope: 'transaction',
  holdsUntil: 'stored',
  key: 'hashtextextended',
  timeoutMs: 20_000,
  pool: 'own',
  idleTimeout: null,
};

/** Each waiting run needs a connection; a pool of this many serves as many runs of one worker at once. */
const lockConnections = 24;

/** `lock_not_available` (Postgres, appendix A). */
const lockNotAvailable = '55P03';

/** Makes the guard. *Cost*: a connection for each run that holds or waits. */
export function advisoryLock(lock: AdvisoryLock, { dsn, saverPool }: GuardContext): Guard {
  const { idleTimeout } = lock;
  const pool =
    lock.pool === 'saver'
      ? saverPool
      : openPool({
          connectionString: dsn,
          max: lockConnections,
          idleTimeoutMillis: 0,
          ...(idleTimeout === null
            ? {}
            : { options: `-c idle_in_transaction_session_timeout=${idleTimeout.ms}` }),
        });
  return {
    holdsUntil: lock.holdsUntil,
    mayWait: lock.when === 'wait',
    enter: async ({ thread }, signal) =>
      lock.scope === 'transaction'
        ? inTransaction(pool, lock, thread, signal)
        : onPooledSession(pool, lock, thread),
    close: async () => {
      if (lock.pool === 'own') await pool.end();
    },
  };
}

async function inTransaction(
  pool: pg.Pool,
  lock: AdvisoryLock,
  thread: string,
  signal: AbortSignal,
): Promise<Admission | Refusal> {
  const client = await pool.connect();
  try {
    await client.query('BEGIN');
    if (lock.idleTimeout?.isExempt === true)
      await client.query('SET LOCAL idle_in_transaction_session_timeout = 0');
    const refusal = await taken(client, lock, thread, '_xact');
    if (refusal !== null || signal.aborted) {
      await client.query('ROLLBACK');
      client.release();
      return refusal ?? { kind: 'refused', because: 'the client left while its run waited' };
    }
  } catch (error) {
    client.release(true);
    throw error;
  }
  return {
    kind: 'admitted',
    leave: async () => {
      try {
        await client.query('COMMIT');
        client.release();
      } catch {
        // The server ended the transaction meanwhile, and the lock with it: there is nothing left to give back.
        client.release(true);
      }
    },
  };
}

/** Each query may run on another connection of the pool: the one that unlocks may not be the one that locked. */
async function onPooledSession(
  pool: pg.Pool,
  lock: AdvisoryLock,
  thread: string,
): Promise<Admission | Refusal> {
  const refusal = await taken(pool, lock, thread, '');
  if (refusal !== null) return refusal;
  return {
    kind: 'admitted',
    leave: async () => {
      await pool.query(`SELECT pg_advisory_unlock(${keyText(lock)})`, [thread]);
    },
  };
}

async function taken(
  on: pg.Pool | pg.PoolClient,
  lock: AdvisoryLock,
  thread: string,
  suffix: '' | '_xact',
): Promise<Refusal | null> {
  if (lock.when === 'reject') {
    const { rows } = await on.query<{ got: boolean }>(
      `SELECT pg_try_advisory${suffix}_lock(${keyText(lock)}) AS got`,
      [thread],
    );
    return rows[0]?.got === true ? null : { kind: 'refused', because: 'another run has the thread' };
  }
  await on.query(`SET ${suffix === '_xact' ? 'LOCAL ' : ''}lock_timeout = ${lock.timeoutMs}`);
  try {
    await on.query(`SELECT pg_advisory${suffix}_lock(${keyText(lock)})`, [thread]);
    return null;
  } catch (error) {
    if (!isTimeout(error)) throw error;
    return { kind: 'refused', because: `another run has the thread; waited ${lock.timeoutMs} ms for it` };
  }
}

function keyText({ key }: AdvisoryLock): string {
  return key === 'hashtextextended' ? 'hashtextextended($1, 0)' : 'hashtext($1)';
}

function isTimeout(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === lockNotAvailable;
}
