/**
 * What the database holds of a cell's runs when everything that could still write is gone. Easy to get wrong: the server
 * carries out what a killed client has sent, so rows may still appear after its end; only when its sessions are gone is it
 * known what is left.
 */
import { setTimeout as delay } from 'node:timers/promises';
import type pg from 'pg';
import { neutralLine } from '#src/dump/neutral-rows.ts';
import { readThreadRows } from '#src/postgres/read-thread.ts';
import type { AppendFile } from '#src/rundir/append-file.ts';
import { ledgerTable } from './run-ledger.ts';

const lookMs = 10;

/** Resolves when no session of the schema is left but this one. The pool must be the primary's, with one connection. */
export async function sessionsGone(pool: pg.Pool, schema: string, signal: AbortSignal): Promise<void> {
  for (;;) {
    const { rows } = await pool.query<{ others: number }>(
      `SELECT count(*)::int AS others FROM pg_stat_activity
       WHERE application_name = $1 AND pid <> pg_backend_pid()`,
      [schema],
    );
    if (rows[0]?.others === 0) return;
    await delay(lookMs, undefined, { signal });
  }
}

/** A ledger's row, in the names that an audit expects. */
export interface LedgerRow {
  readonly run_id: string;
  readonly thread_id: string;
  readonly status: string;
  readonly created_at: Date;
  readonly heartbeat_at: Date;
  readonly attempts: number;
}

/** The ledger's rows of runs whose id begins with `prefix`, by id. */
export async function ledgerRows(
  pool: pg.Pool,
  schema: string,
  prefix: string,
): Promise<readonly LedgerRow[]> {
  const { rows } = await pool.query<LedgerRow>(
    `SELECT run_id, thread_id, status, created_at, last_heartbeat_at AS heartbeat_at, attempts
     FROM ${ledgerTable(schema)} WHERE starts_with(run_id, $1) ORDER BY run_id`,
    [prefix],
  );
  return rows;
}

/** Appends the rows of all threads to the file. */
export async function captureRows(
  pool: pg.Pool,
  schema: string,
  threads: readonly string[],
  file: AppendFile,
): Promise<void> {
  for (const { checkpoints, blobs, writes } of await readThreadRows(pool, schema, threads)) {
    file.writeText(checkpoints.map((row) => neutralLine({ table: 'checkpoints', ...row })).join(''));
    file.writeText((blobs ?? []).map((row) => neutralLine({ table: 'checkpoint_blobs', ...row })).join(''));
    file.writeText((writes ?? []).map((row) => neutralLine({ table: 'checkpoint_writes', ...row })).join(''));
  }
}
