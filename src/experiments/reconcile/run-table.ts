/**
 * The table in which processes say what they work on: at once a ledger of runs and a list of leases, as shops keep it.
 * Easy to get wrong: times are the database's own, since a lease that one clock writes and another one reads ends too
 * early or too late.
 */
import pg from 'pg';
import type { RunEnd } from './population-protocol.ts';

/** The table's quoted name. */
export function runTable(schema: string): string {
  return `${pg.escapeIdentifier(schema)}.forkscope_runs`;
}

/** Creates the table, once per schema. */
export async function createRunTable(client: pg.ClientBase | pg.Pool, schema: string): Promise<void> {
  await client.query(`CREATE TABLE ${runTable(schema)} (
    run_id text PRIMARY KEY,
    thread_id text NOT NULL,
    worker text NOT NULL,
    status text NOT NULL,
    created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    heartbeat_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    expires_at timestamptz
  )`);
}

const statuses: Readonly<Record<RunEnd, string>> = {
  ended: 'succeeded',
  asked: 'interrupted',
  paused: 'interrupted',
  failed: 'failed',
  aborted: 'cancelled',
};

/** One worker's entries. All methods fail as the driver does. */
export class RunTable {
  readonly #pool: pg.Pool;
  readonly #table: string;
  readonly #worker: string;
  readonly #leaseMs: number;

  constructor(pool: pg.Pool, schema: string, worker: string, leaseMs: number) {
    this.#pool = pool;
    this.#table = runTable(schema);
    this.#worker = worker;
    this.#leaseMs = leaseMs;
  }

  /** Enters a run and takes the lease of its thread. Call it before anything of the run is stored. */
  async begin(run: string, thread: string): Promise<void> {
    await this.#pool.query(
      `INSERT INTO ${this.#table} (run_id, thread_id, worker, status, expires_at)
       VALUES ($1, $2, $3, 'running', clock_timestamp() + $4 * interval '1 millisecond')`,
      [run, thread, this.#worker, this.#leaseMs],
    );
  }

  /** Renews the leases of all runs of this worker that are open. */
  async beat(): Promise<void> {
    await this.#pool.query(
      `UPDATE ${this.#table}
       SET heartbeat_at = clock_timestamp(), expires_at = clock_timestamp() + $2 * interval '1 millisecond'
       WHERE worker = $1 AND status = 'running'`,
      [this.#worker, this.#leaseMs],
    );
  }

  /** Says how a run ended and gives its lease back. */
  async end(run: string, end: RunEnd): Promise<void> {
    await this.#pool.query(
      `UPDATE ${this.#table} SET status = $2, heartbeat_at = clock_timestamp(), expires_at = NULL WHERE run_id = $1`,
      [run, statuses[end]],
    );
  }
}
