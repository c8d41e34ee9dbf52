/**
 * Reads rows of `checkpoint_blobs`: channel values, their bytes untouched. Easy to get wrong: a blob belongs to a
 * (channel, version) and not to a checkpoint, so in JS threads two branches can mean the same row.
 */
import pg from 'pg';
import { nullableBytesField, nullableTextField, textField, type DriverRow } from './row-fields.ts';
import { hasColumn, type TableLayout } from './table-layout.ts';

/** One row, by the names of its columns. */
export interface RawBlobRow {
  readonly thread_id: string;
  readonly checkpoint_ns: string;
  readonly channel: string;
  /** As text, also for JS integers; empty for a shallow saver, which keeps one value per channel. */
  readonly version: string;
  readonly type: string | null;
  readonly blob: Buffer | null;
}

/**
 * All blobs of the given threads, ordered by thread, namespace, channel and version (in byte order); null when the
 * schema has no such table. Cost: every byte of them in memory at once.
 */
export async function readBlobs(
  client: pg.ClientBase,
  layout: TableLayout,
  threads: readonly string[],
): Promise<readonly RawBlobRow[] | null> {
  if (!layout.columns.has('checkpoint_blobs')) return null;
  const version = hasColumn(layout, 'checkpoint_blobs', 'version') ? 'version::text' : "''::text";
  const { rows } = await client.query<DriverRow>(
    `SELECT thread_id::text AS thread_id, checkpoint_ns::text AS checkpoint_ns, channel::text AS channel,
            ${version} AS version, type::text AS type, blob
     FROM ${pg.escapeIdentifier(layout.schema)}.checkpoint_blobs
     WHERE thread_id::text = ANY($1)
     ORDER BY thread_id::text COLLATE "C", checkpoint_ns::text COLLATE "C", channel::text COLLATE "C",
              (${version}) COLLATE "C"`,
    [threads],
  );
  return rows.map((row) => ({
    thread_id: textField(row, 'thread_id'),
    checkpoint_ns: textField(row, 'checkpoint_ns'),
    channel: textField(row, 'channel'),
    version: textField(row, 'version'),
    type: nullableTextField(row, 'type'),
    blob: nullableBytesField(row, 'blob'),
  }));
}
