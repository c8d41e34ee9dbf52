/**
 * The two instruments that watch effects. The file is the first: one line, one synchronous write on an O_APPEND
 * descriptor, so that lines of several processes never mix and a killed process loses at most the line it had not
 * begun. The table is the second and independent: its own pool, written after the file, never awaited by a node.
 */
import { closeSync, openSync, writeSync } from 'node:fs';
import pg from 'pg';
import { openPool } from '../postgres/open-pool.ts';
import type { DrainAnswer } from '../protocol/run-request.ts';

/** One record, in the shape of the file's lines and of the table's `record` column. */
export interface EffectRecord {
  readonly run: string;
  readonly thread: string;
  readonly node: string;
  readonly worker: string;
  readonly parent_checkpoint_id: string | null;
  readonly task_id: string | null;
  readonly checkpoint_ns: string;
  readonly step: number | null;
  readonly attempt: number | null;
  readonly wall_ms: number;
  readonly monotonic_ms: number;
  readonly seq: number;
  readonly business_key: string | null;
  /** The keys of the update that the node returned; left out when the node does not tell. */
  readonly returned_keys?: readonly string[];
}

/** Both instruments of one worker. */
export class EffectLog {
  readonly #descriptor: number;
  readonly #pool: pg.Pool;
  readonly #insert: string;
  readonly #worker: string;
  readonly #pending = new Set<Promise<void>>();
  #sequence = 0;
  #tableFailures = 0;

  constructor(options: { worker: string; file: string; dsn: string; schema: string }) {
    this.#worker = options.worker;
    this.#descriptor = openSync(options.file, 'a');
    this.#pool = openPool({
      connectionString: options.dsn,
      max: 1,
      idleTimeoutMillis: 0,
    });
    this.#insert = `INSERT INTO ${pg.escapeIdentifier(options.schema)}.forkscope_effects (record) VALUES ($1)`;
  }

  /**
   * Appends the record to the file, then starts its insert into the table. Throws what the file system throws (a
   * full disk): an effect that cannot be logged must not pass for one that was.
   */
  append(record: Omit<EffectRecord, 'worker' | 'seq'>): void {
    const complete: EffectRecord = { ...record, worker: this.#worker, seq: this.#sequence + 1 };
    const line = Buffer.from(`${JSON.stringify(complete)}\n`);
    const written = writeSync(this.#descriptor, line);
    if (written !== line.length) throw new Error(`only ${written} of ${line.length} bytes were written`);
    this.#sequence += 1;
    const insert = this.#pool
      .query(this.#insert, [complete])
      .then(
        () => undefined,
        () => {
          this.#tableFailures += 1;
        },
      )
      .finally(() => this.#pending.delete(insert));
    this.#pending.add(insert);
  }

  /** Waits for the table's inserts and gives the worker's account of its log. */
  async drain(): Promise<DrainAnswer> {
    await Promise.all(this.#pending);
    return { worker: this.#worker, finalSequence: this.#sequence, tableFailures: this.#tableFailures };
  }

  /** Ends both instruments. */
  async close(): Promise<void> {
    await this.drain();
    await this.#pool.end();
    closeSync(this.#descriptor);
  }
}
