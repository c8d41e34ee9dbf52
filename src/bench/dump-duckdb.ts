/**
 * The same file under DuckDB with two threads, which does only a part of the work: take `versions_seen` out of every
 * checkpoint and count the forks. Easy to get wrong: it gets the section of `checkpoints` already cut out, and its
 * answer has to be the planted one, or its time means nothing.
 */
import { createReadStream, createWriteStream } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { z } from 'zod';
import { OperatorError } from '../failure/operator-error.ts';

/** Names the `node_modules` folder in which `@duckdb/node-api` was installed. */
export const duckdbVariable = 'FORKSCOPE_BENCH_DUCKDB';

interface DuckConnection {
  run(sql: string): Promise<unknown>;
  runAndReadAll(sql: string): Promise<{ getRows(): unknown[][] }>;
  closeSync(): void;
}

interface DuckModule {
  readonly DuckDBInstance: {
    create(
      path: string,
      options: Record<string, string>,
    ): Promise<{
      connect(): Promise<DuckConnection>;
      closeSync(): void;
    }>;
  };
}

/** DuckDB where the environment names it; null: it names none. *Fails* with OperatorError when it is not there. */
export function findDuckdb(): DuckModule | null {
  const folder = process.env[duckdbVariable] ?? '';
  if (folder === '') return null;
  try {
    return createRequire(join(folder, 'here.js'))('@duckdb/node-api') as DuckModule;
  } catch (cause) {
    throw new OperatorError({
      happened: '@duckdb/node-api cannot be loaded',
      place: `${duckdbVariable}=${folder}`,
      remedy: 'Install it there (npm install --prefix … @duckdb/node-api) and name its node_modules folder.',
      cause,
    });
  }
}

/** Copies the rows of `checkpoints` out of a plain dump in which they are the last table. */
export async function cutCheckpoints(dump: string, section: string): Promise<void> {
  const opening = Buffer.from('COPY public.checkpoints (');
  const closing = Buffer.from('\n\\.\n');
  let startAt = -1;
  let endAt = -1;
  let carried = Buffer.alloc(0);
  let offset = 0;
  for await (const piece of createReadStream(dump, { highWaterMark: 4 << 20 })) {
    const bytes = Buffer.concat([carried, piece as Buffer]);
    const from = offset - carried.length;
    if (startAt < 0) {
      const found = bytes.indexOf(opening);
      const lineEnd = found < 0 ? -1 : bytes.indexOf(0x0a, found);
      if (lineEnd >= 0) startAt = from + lineEnd + 1;
    }
    if (startAt >= 0 && endAt < 0) {
      const found = bytes.indexOf(closing, Math.max(0, startAt - from - 1));
      if (found >= 0) endAt = from + found + 1;
    }
    offset += (piece as Buffer).length;
    carried = bytes.subarray(-300);
  }
  await pipeline(createReadStream(dump, { start: startAt, end: endAt - 1 }), createWriteStream(section));
}

/** Milliseconds of one extraction and census; `forks` is the right answer. */
export async function duckdbMs(duckdb: DuckModule, section: string, forks: number): Promise<number> {
  const instance = await duckdb.DuckDBInstance.create(':memory:', { threads: '2' });
  try {
    const connection = await instance.connect();
    try {
      const started = performance.now();
      await connection.run(`CREATE TEMP TABLE seen AS
        SELECT thread, ns, parent, json_extract(replace(checkpoint, '\\\\', '\\'), '$.versions_seen') AS versions
        FROM read_csv('${section.replaceAll("'", "''")}', delim = '\\t', header = false, quote = '', escape = '',
          nullstr = '\\N', auto_detect = false, columns = {thread: 'VARCHAR', ns: 'VARCHAR', id: 'VARCHAR',
          parent: 'VARCHAR', type: 'VARCHAR', checkpoint: 'VARCHAR', metadata: 'VARCHAR'})`);
      const result = await connection.runAndReadAll(`SELECT count(*)::INTEGER FROM
        (SELECT 1 FROM seen GROUP BY thread, ns, parent HAVING count(*) > 1)`);
      const tookMs = performance.now() - started;
      const found = z.number().parse(result.getRows()[0]?.[0]);
      if (found !== forks) throw new RangeError(`DuckDB found ${found} forks where ${forks} were planted`);
      return tookMs;
    } finally {
      connection.closeSync();
    }
  } finally {
    instance.closeSync();
  }
}
