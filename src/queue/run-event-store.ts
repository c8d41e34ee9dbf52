/**
 * The events of runs that are executed elsewhere, as rows: whoever runs the graph appends them, whoever has a client
 * follows them, and a client that comes back goes on behind the last one it has. Easy to get wrong: numbers are given
 * when a row is written and seen when it is committed, so a follower could pass over a row that commits late; the rows
 * of one run are therefore written one after the other.
 */
import pg from 'pg';
import type { RunToken } from '#analysis/model/identifiers.ts';
import { getOrMake } from '#analysis/model/maps.ts';
import { openPool } from '../postgres/open-pool.ts';
import type { RunEvent } from '../protocol/run-request.ts';

/** The table of a schema, quoted. */
export function eventTable(schema: string): string {
  return `${pg.escapeIdentifier(schema)}.forkscope_run_events`;
}

/** The channel on which a schema's appended runs are named; the name of the schema, quoted. */
export function eventChannel(schema: string): string {
  return pg.escapeIdentifier(schema);
}

/** Appends events; for one process, which runs the graphs. */
export class RunEventStore {
  readonly #pool: pg.Pool;
  readonly #schema: string;
  readonly #tails = new Map<RunToken, Promise<void>>();

  private constructor(pool: pg.Pool, schema: string) {
    this.#pool = pool;
    this.#schema = schema;
  }

  /** Makes the table. Rejects when the database refuses. */
  static async open({
    dsn,
    schema,
  }: {
    readonly dsn: string;
    readonly schema: string;
  }): Promise<RunEventStore> {
    const pool = openPool({ connectionString: dsn, max: 4, idleTimeoutMillis: 0 });
    await pool.query(
      `CREATE TABLE IF NOT EXISTS ${eventTable(schema)} (run text NOT NULL, id bigserial, event jsonb NOT NULL, PRIMARY KEY (run, id))`,
    );
    return new RunEventStore(pool, schema);
  }

  /** Appends an event behind those of its run. {@link flushed} tells whether it was stored. */
  append(run: RunToken, event: RunEvent): void {
    const tail = this.flushed(run).then(() => this.#insert(run, event));
    // Whoever waits for the run learns of it.
    tail.catch(() => undefined);
    this.#tails.set(run, tail);
  }

  /** Resolves when what was appended of a run is stored; rejects when it could not be. */
  flushed(run: RunToken): Promise<void> {
    return getOrMake(this.#tails, run, () => Promise.resolve());
  }

  async close(): Promise<void> {
    await this.#pool.end();
  }

  async #insert(run: RunToken, event: RunEvent): Promise<void> {
    await this.#pool.query(
      `WITH appended AS (INSERT INTO ${eventTable(this.#schema)} (run, event) VALUES ($1, $2))
       SELECT pg_notify($3, $1)`,
      [run, JSON.stringify(event), this.#schema],
    );
  }
}
