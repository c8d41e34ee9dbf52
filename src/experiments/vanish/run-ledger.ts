/**
 * A run ledger as a shop keeps it: a row before anything of a run is done, a lease with heartbeats while it is worked on,
 * its end. Easy to get wrong: times are the database's own; and a row that is taken over must be claimed in one statement,
 * or two reapers take it.
 */
import { createHash } from 'node:crypto';
import pg from 'pg';
import type { Order, ReapLimits } from './vanish-protocol.ts';

/** The table's quoted name. */
export function ledgerTable(schema: string): string {
  return `${pg.escapeIdentifier(schema)}.forkscope_ledger`;
}

/** Creates the table, once per schema. */
export async function createLedger(client: pg.ClientBase | pg.Pool, schema: string): Promise<void> {
  await client.query(`CREATE TABLE ${ledgerTable(schema)} (
    run_id text PRIMARY KEY,
    thread_id text NOT NULL,
    input_hash text NOT NULL,
    payload jsonb NOT NULL,
    status text NOT NULL,
    created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    last_heartbeat_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    attempts integer NOT NULL DEFAULT 1,
    worker text,
    expires_at timestamptz,
    error text
  )`);
}

/** A run that was claimed. */
export interface ClaimedRun {
  readonly order: Order;
  readonly attempts: number;
  readonly hasCheckpoint: boolean;
}

const milliseconds = (parameter: string): string => `${parameter} * interval '1 millisecond'`;

/** The ledger as one worker writes it. All methods fail as the driver does. */
export class RunLedger {
  readonly #pool: pg.Pool;
  readonly #table: string;
  readonly #checkpoints: string;
  readonly #worker: string;
  readonly #leaseMs: number;

  constructor(pool: pg.Pool, schema: string, worker: string, leaseMs: number) {
    this.#pool = pool;
    this.#table = ledgerTable(schema);
    this.#checkpoints = `${pg.escapeIdentifier(schema)}.checkpoints`;
    this.#worker = worker;
    this.#leaseMs = leaseMs;
  }

  /** Enters a run with its lease; false when there is a run of that id. */
  async enter(order: Order): Promise<boolean> {
    const payload = JSON.stringify(order);
    const hash = createHash('sha256').update(payload).digest('hex');
    const { rowCount } = await this.#pool.query(
      `INSERT INTO ${this.#table} (run_id, thread_id, input_hash, payload, status, worker, expires_at)
       VALUES ($1, $2, $3, $4, 'running', $5, clock_timestamp() + ${milliseconds('$6')})
       ON CONFLICT (run_id) DO NOTHING`,
      [order.run, order.thread, hash, payload, this.#worker, this.#leaseMs],
    );
    return rowCount === 1;
  }

  /** Renews the leases of this worker's open runs. */
  async beat(): Promise<void> {
    await this.#pool.query(
      `UPDATE ${this.#table}
       SET last_heartbeat_at = clock_timestamp(), expires_at = clock_timestamp() + ${milliseconds('$2')}
       WHERE worker = $1 AND status = 'running'`,
      [this.#worker, this.#leaseMs],
    );
  }

  /** Says how a run ended; `error` null: it succeeded. Nothing changes where another worker has taken the run. */
  async end(run: string, error: string | null): Promise<void> {
    await this.#pool.query(
      `UPDATE ${this.#table}
       SET status = $2, error = $3, expires_at = NULL, last_heartbeat_at = clock_timestamp()
       WHERE run_id = $1 AND worker = $4`,
      [run, error === null ? 'succeeded' : 'failed', error, this.#worker],
    );
  }

  /**
   * Claims up to `most` runs that nobody has worked on for so long. Those that were attempted before are claimed one at a
   * time: one of them may be what ends its workers, and would drag others along.
   */
  async claim(limits: ReapLimits, most: number): Promise<readonly ClaimedRun[]> {
    const { rows } = await this.#pool.query<{ payload: Order; attempts: number; stored: boolean }>(
      `WITH stale AS (
         SELECT run_id, attempts, ${this.#hasCheckpoint('l')} AS stored FROM ${this.#table} AS l
         WHERE ${this.#isStale('l')} AND attempts < $4
         ORDER BY attempts, created_at LIMIT $5 FOR UPDATE SKIP LOCKED
       ), chosen AS (
         SELECT run_id, stored FROM stale WHERE attempts = 1
         UNION ALL
         (SELECT run_id, stored FROM stale WHERE NOT EXISTS (SELECT FROM stale WHERE attempts = 1) LIMIT 1)
       )
       UPDATE ${this.#table} AS taken
       SET worker = $6, attempts = attempts + 1, last_heartbeat_at = clock_timestamp(),
           expires_at = clock_timestamp() + ${milliseconds('$7')}
       FROM chosen WHERE taken.run_id = chosen.run_id
       RETURNING taken.payload, taken.attempts, chosen.stored`,
      [...thresholds(limits), limits.attemptCap, most, this.#worker, this.#leaseMs],
    );
    return rows.map(({ payload, attempts, stored }) => ({ order: payload, attempts, hasCheckpoint: stored }));
  }

  /** Quarantines stale runs that were attempted too often. */
  async quarantine(limits: ReapLimits): Promise<void> {
    await this.#pool.query(
      `UPDATE ${this.#table} AS l SET status = 'quarantined', expires_at = NULL
       WHERE ${this.#isStale('l')} AND attempts >= $4`,
      [...thresholds(limits), limits.attemptCap],
    );
  }

  /** How many runs are still open. */
  async open(limits: ReapLimits): Promise<number> {
    const { rows } = await this.#pool.query<{ open: number }>(
      `SELECT count(*)::int AS open FROM ${this.#table} WHERE status = 'running' AND starts_with(run_id, $1)`,
      [limits.prefix],
    );
    return rows[0]?.open ?? 0;
  }

  /** Parameters 1 to 3 are {@link thresholds}. */
  #isStale(alias: string): string {
    return `${alias}.status = 'running' AND starts_with(${alias}.run_id, $1) AND ${alias}.expires_at < clock_timestamp()
      AND ${alias}.last_heartbeat_at < clock_timestamp() -
        CASE WHEN ${this.#hasCheckpoint(alias)} THEN ${milliseconds('$3')} ELSE ${milliseconds('$2')} END`;
  }

  #hasCheckpoint(alias: string): string {
    return `EXISTS (SELECT FROM ${this.#checkpoints} AS c WHERE c.thread_id = ${alias}.thread_id)`;
  }
}

function thresholds({ prefix, shortMs, longMs }: ReapLimits): readonly [string, number, number] {
  return [prefix, shortMs, longMs];
}
