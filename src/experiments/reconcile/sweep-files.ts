/**
 * What a sweep sees at its moment, put into files: rows of all threads in one snapshot, the leases, the ledger, and apart
 * from them the truth. Easy to get wrong: live runs go on while this reads, so leases and ledger are read first; a run
 * that begins later would otherwise have rows and no lease.
 */
import { join } from 'node:path';
import type pg from 'pg';
import { neutralLine } from '#src/dump/neutral-rows.ts';
import { readThreadRows } from '#src/postgres/read-thread.ts';
import { AppendFile } from '#src/rundir/append-file.ts';
import type { MadeThread } from './population.ts';
import { runTable } from './run-table.ts';

/** The files, each as `forkscope audit` reads it. */
export interface SweepFiles {
  readonly rows: string;
  /** For `--active`. */
  readonly leases: string;
  /** For `--ledger`. */
  readonly ledger: string;
  /** What each thread is; no sweep reads it. */
  readonly truth: string;
}

/** The files of a folder; touches nothing. */
export function sweepFiles(folder: string): SweepFiles {
  return {
    rows: join(folder, 'rows.jsonl'),
    leases: join(folder, 'leases.jsonl'),
    ledger: join(folder, 'ledger.jsonl'),
    truth: join(folder, 'truth.jsonl'),
  };
}

interface RunRow {
  readonly run_id: string;
  readonly thread_id: string;
  readonly status: string;
  readonly created_at: Date;
  readonly heartbeat_at: Date;
  readonly expires_at: Date | null;
  readonly now: Date;
}

/** The moment of a sweep, and what of the instruments themselves was not as it should be then. */
export interface Captured {
  /** By the database's clock, Unix milliseconds. */
  readonly asOfMs: number;
  /** Live threads whose lease was not renewed in time: a starved worker looks dead. */
  readonly lapsedLeases: readonly string[];
}

/** Reads and writes everything. Threads of `threads` alone; live runs among them go on meanwhile. */
export async function captureSweep(
  pool: pg.Pool,
  schema: string,
  threads: readonly MadeThread[],
  files: SweepFiles,
): Promise<Captured> {
  const { rows: runs } = await pool.query<RunRow>(
    `SELECT run_id, thread_id, status, created_at, heartbeat_at, expires_at, clock_timestamp() AS now
     FROM ${runTable(schema)} ORDER BY run_id`,
  );
  const asOfMs = Math.max(...runs.map(({ now }) => now.getTime()));
  write(
    files.leases,
    runs.flatMap(({ thread_id: thread, expires_at: expires }) =>
      expires === null ? [] : [{ thread, expires_at: expires.toISOString() }],
    ),
  );
  write(
    files.ledger,
    runs.map(({ run_id, thread_id, status, created_at, heartbeat_at }) => ({
      run_id,
      thread_id,
      status,
      created_at: created_at.toISOString(),
      heartbeat_at: heartbeat_at.toISOString(),
    })),
  );
  const names = threads.map(({ thread }) => thread);
  const rows = new AppendFile(files.rows);
  for (const raw of await readThreadRows(pool, schema, names)) {
    rows.writeText(raw.checkpoints.map((row) => neutralLine({ table: 'checkpoints', ...row })).join(''));
    rows.writeText(
      (raw.blobs ?? []).map((row) => neutralLine({ table: 'checkpoint_blobs', ...row })).join(''),
    );
    rows.writeText(
      (raw.writes ?? []).map((row) => neutralLine({ table: 'checkpoint_writes', ...row })).join(''),
    );
  }
  rows.close();
  write(
    files.truth,
    threads.map(({ thread, kind }) => ({ thread, kind: kind.name, truth: kind.truth })),
  );
  const live = new Set(threads.filter(({ kind }) => kind.truth === 'running').map(({ thread }) => thread));
  const lapsedLeases = runs
    .filter(({ thread_id, expires_at }) => live.has(thread_id) && (expires_at?.getTime() ?? 0) <= asOfMs)
    .map(({ thread_id }) => thread_id);
  return { asOfMs, lapsedLeases };
}

function write(path: string, lines: readonly unknown[]): void {
  const file = new AppendFile(path);
  for (const line of lines) file.write(line);
  file.close();
}
