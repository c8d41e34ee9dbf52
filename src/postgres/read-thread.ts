/**
 * What does a database hold of some threads? All rows of the three tables, as the columns have them; what they mean is
 * decided elsewhere. Easy to get wrong: a live thread grows between two queries, and a write would then name a
 * checkpoint that was not read, so all three tables are read in one snapshot.
 */
import type pg from 'pg';
import { readBlobs, type RawBlobRow } from './read-blobs.ts';
import { readCheckpoints, type RawCheckpointRow } from './read-checkpoints.ts';
import { readWrites, type RawWriteRow } from './read-writes.ts';
import { readTableLayout, type TableLayout } from './table-layout.ts';

/** Everything a schema holds of one thread, not decoded. Shape: each list is ordered by the table's primary key. */
export interface RawThreadRows {
  readonly thread: string;
  readonly checkpoints: readonly RawCheckpointRow[];
  /** Null when the schema has no such table, which is not the same as no rows. */
  readonly blobs: readonly RawBlobRow[] | null;
  /** Null when the schema has no such table, which is not the same as no rows. */
  readonly writes: readonly RawWriteRow[] | null;
}

/** Layouts that were read already: a pool's schemas do not change while it is used. */
const layouts = new WeakMap<pg.Pool, Map<string, Promise<TableLayout>>>();

/**
 * Reads threads, in the order asked for, one entry for each; a thread without rows has empty lists.
 * Cost: four queries, the first of them once per pool and schema; all rows in memory at once, so ask for few threads
 * when their blobs are large. Fails as the driver does, and with an `OperatorError` when there are no such tables.
 */
export async function readThreadRows(
  pool: pg.Pool,
  schema: string,
  threads: readonly string[],
): Promise<readonly RawThreadRows[]> {
  const client = await pool.connect();
  let failure: Error | undefined;
  try {
    const layout = await layoutOf(pool, client, schema);
    await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
    const checkpoints = byThread(await readCheckpoints(client, layout, threads));
    const blobs = byThread(await readBlobs(client, layout, threads));
    const writes = byThread(await readWrites(client, layout, threads));
    await client.query('COMMIT');
    return threads.map((thread) => ({
      thread,
      checkpoints: checkpoints?.get(thread) ?? [],
      blobs: blobs === null ? null : (blobs.get(thread) ?? []),
      writes: writes === null ? null : (writes.get(thread) ?? []),
    }));
  } catch (error) {
    failure = error instanceof Error ? error : new Error(String(error));
    throw error;
  } finally {
    // A connection with a transaction that failed is not given back for others to use.
    client.release(failure);
  }
}

async function layoutOf(pool: pg.Pool, client: pg.ClientBase, schema: string): Promise<TableLayout> {
  const ofPool = layouts.get(pool) ?? new Map<string, Promise<TableLayout>>();
  layouts.set(pool, ofPool);
  const known = ofPool.get(schema) ?? readTableLayout(client, schema);
  ofPool.set(schema, known);
  try {
    return await known;
  } catch (error) {
    ofPool.delete(schema); // the tables may be there next time
    throw error;
  }
}

function byThread<Row extends { readonly thread_id: string }>(
  rows: readonly Row[] | null,
): ReadonlyMap<string, readonly Row[]> | null {
  if (rows === null) return null;
  const groups = new Map<string, Row[]>();
  for (const row of rows) {
    const group = groups.get(row.thread_id);
    if (group === undefined) groups.set(row.thread_id, [row]);
    else group.push(row);
  }
  return groups;
}
