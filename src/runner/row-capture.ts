/**
 * Copies the rows of a thread from the database into `rows.jsonl` as soon as its trial is over, in one write, so
 * that a series that dies keeps every finished trial and the rows of one thread stand together.
 */
import pg from 'pg';
import { neutralLine } from '#src/dump/neutral-rows.ts';
import { openPool } from '#src/postgres/open-pool.ts';
import { readThreadRows } from '#src/postgres/read-thread.ts';
import type { ThreadId } from '#analysis/model/identifiers.ts';
import { AppendFile } from '../rundir/append-file.ts';

/** See the file's head. */
export class RowCapture {
  readonly #pool: pg.Pool;
  readonly #schema: string;
  readonly #file: AppendFile;

  constructor(dsn: string, schema: string, path: string) {
    this.#pool = openPool({
      connectionString: dsn,
      max: 2,
      idleTimeoutMillis: 0,
    });
    this.#schema = schema;
    this.#file = new AppendFile(path);
  }

  /** Captures one thread. Rejects when the database does not answer. */
  async take(thread: ThreadId): Promise<void> {
    const [raw] = await readThreadRows(this.#pool, this.#schema, [thread]);
    if (raw === undefined) return;
    const lines = [
      ...raw.checkpoints.map((row) => neutralLine({ table: 'checkpoints', ...row })),
      ...(raw.blobs ?? []).map((row) => neutralLine({ table: 'checkpoint_blobs', ...row })),
      ...(raw.writes ?? []).map((row) => neutralLine({ table: 'checkpoint_writes', ...row })),
    ];
    this.#file.writeText(lines.join(''));
  }

  /** Copies the effects table out, oldest record first. Cost: one record in memory at a time, in pages. */
  async takeEffectsTable(path: string): Promise<void> {
    const file = new AppendFile(path);
    const table = `${pg.escapeIdentifier(this.#schema)}.forkscope_effects`;
    const page = 5_000;
    try {
      for (let after = '0'; ;) {
        const { rows } = await this.#pool.query<{ id: string; record: string }>(
          `SELECT id::text, record::text FROM ${table} WHERE id > $1 ORDER BY id LIMIT ${page}`,
          [after],
        );
        file.writeText(rows.map(({ record }) => `${record}\n`).join(''));
        if (rows.length < page) return;
        after = rows.at(-1)?.id ?? after;
      }
    } finally {
      file.close();
    }
  }

  async close(): Promise<void> {
    await this.#pool.end();
    this.#file.close();
  }
}
