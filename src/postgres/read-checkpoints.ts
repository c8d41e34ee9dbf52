/**
 * Reads rows of `checkpoints`, nothing decoded. Easy to get wrong: the driver would parse JSONB itself, and a number
 * beyond 2^53 or a key named `__proto__` would not survive that, so both JSON columns are handed over as text.
 */
import pg from 'pg';
import { nullableTextField, textField, type DriverRow } from './row-fields.ts';
import { hasColumn, type TableLayout } from './table-layout.ts';

/** One row, by the names of its columns. */
export interface RawCheckpointRow {
  readonly thread_id: string;
  readonly checkpoint_ns: string;
  /** Of a shallow saver, which has no such column: the id inside the checkpoint. */
  readonly checkpoint_id: string;
  /** Null for a root, and for every row of a shallow saver. */
  readonly parent_checkpoint_id: string | null;
  /** JSON text. */
  readonly checkpoint: string;
  /** JSON text. */
  readonly metadata: string;
}

/** All checkpoints of the given threads, ordered by thread, namespace and id (in byte order). */
export async function readCheckpoints(
  client: pg.ClientBase,
  layout: TableLayout,
  threads: readonly string[],
): Promise<readonly RawCheckpointRow[]> {
  const has = (column: string): boolean => hasColumn(layout, 'checkpoints', column);
  const id = has('checkpoint_id') ? 'checkpoint_id::text' : "checkpoint->>'id'";
  const parent = has('parent_checkpoint_id') ? 'parent_checkpoint_id::text' : 'NULL::text';
  const { rows } = await client.query<DriverRow>(
    `SELECT thread_id::text AS thread_id, checkpoint_ns::text AS checkpoint_ns, ${id} AS checkpoint_id,
            ${parent} AS parent_checkpoint_id, checkpoint::text AS checkpoint, metadata::text AS metadata
     FROM ${pg.escapeIdentifier(layout.schema)}.checkpoints
     WHERE thread_id::text = ANY($1)
     ORDER BY thread_id::text COLLATE "C", checkpoint_ns::text COLLATE "C", (${id}) COLLATE "C"`,
    [threads],
  );
  return rows.map((row) => ({
    thread_id: textField(row, 'thread_id'),
    checkpoint_ns: textField(row, 'checkpoint_ns'),
    checkpoint_id: textField(row, 'checkpoint_id'),
    parent_checkpoint_id: nullableTextField(row, 'parent_checkpoint_id'),
    checkpoint: textField(row, 'checkpoint'),
    metadata: textField(row, 'metadata'),
  }));
}
