/**
 * Reads rows of `checkpoint_writes`: what tasks handed over before their superstep was committed. Easy to get wrong:
 * they are never deleted, so most of them belong to supersteps that were committed long ago.
 */
import pg from 'pg';
import {
  integerField,
  nullableBytesField,
  nullableTextField,
  textField,
  type DriverRow,
} from './row-fields.ts';
import { hasColumn, type TableLayout } from './table-layout.ts';

/** One row, by the names of its columns. */
export interface RawWriteRow {
  readonly thread_id: string;
  readonly checkpoint_ns: string;
  readonly checkpoint_id: string;
  readonly task_id: string;
  /** Position in its batch; negative for special channels. */
  readonly idx: number;
  readonly channel: string;
  readonly type: string | null;
  readonly blob: Buffer | null;
  /** Null when the table has no such column. */
  readonly task_path: string | null;
}

/**
 * All writes of the given threads, ordered by their primary key (in byte order); null when the schema has no such
 * table. Cost: every byte of them in memory at once.
 */
export async function readWrites(
  client: pg.ClientBase,
  layout: TableLayout,
  threads: readonly string[],
): Promise<readonly RawWriteRow[] | null> {
  if (!layout.columns.has('checkpoint_writes')) return null;
  const taskPath = hasColumn(layout, 'checkpoint_writes', 'task_path') ? 'task_path::text' : 'NULL::text';
  const { rows } = await client.query<DriverRow>(
    `SELECT thread_id::text AS thread_id, checkpoint_ns::text AS checkpoint_ns,
            checkpoint_id::text AS checkpoint_id, task_id::text AS task_id, idx::int AS idx,
            channel::text AS channel, type::text AS type, blob, ${taskPath} AS task_path
     FROM ${pg.escapeIdentifier(layout.schema)}.checkpoint_writes
     WHERE thread_id::text = ANY($1)
     ORDER BY thread_id::text COLLATE "C", checkpoint_ns::text COLLATE "C", checkpoint_id::text COLLATE "C",
              task_id::text COLLATE "C", idx`,
    [threads],
  );
  return rows.map((row) => ({
    thread_id: textField(row, 'thread_id'),
    checkpoint_ns: textField(row, 'checkpoint_ns'),
    checkpoint_id: textField(row, 'checkpoint_id'),
    task_id: textField(row, 'task_id'),
    idx: integerField(row, 'idx'),
    channel: textField(row, 'channel'),
    type: nullableTextField(row, 'type'),
    blob: nullableBytesField(row, 'blob'),
    task_path: nullableTextField(row, 'task_path'),
  }));
}
