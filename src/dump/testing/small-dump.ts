/**
 * Dumps made of parts, for tests of one hazard each. The rows are as small as LangGraph's rows can be.
 */
import { copyEncoded } from '../copy-text.ts';

/** A small row of `checkpoints` as COPY fields, in the order of {@link checkpointColumns}. */
export function checkpointFields(
  thread: string,
  id = 'c1',
  parent: string | null = null,
): readonly (string | null)[] {
  const checkpoint = '{"v": 4, "id": "c1", "channel_versions": {"steps": 2}, "versions_seen": {}}';
  return [thread, '', id, parent, null, checkpoint, '{"source": "input", "step": -1, "parents": {}}'];
}

export const checkpointColumns =
  'thread_id, checkpoint_ns, checkpoint_id, parent_checkpoint_id, type, checkpoint, metadata';
export const blobColumns = 'thread_id, checkpoint_ns, channel, version, type, blob';
export const writeColumns = 'thread_id, checkpoint_ns, checkpoint_id, task_id, idx, channel, type, blob';

/** A COPY section. */
export function copySection(
  table: string,
  columns: string,
  rows: readonly (readonly (string | null)[])[],
): string {
  const lines = rows.map((row) =>
    row.map((value) => copyEncoded(value === null ? null : Buffer.from(value)).toString()).join('\t'),
  );
  return [`COPY ${table} (${columns}) FROM stdin;`, ...lines, '\\.', '', ''].join('\n');
}

/** The section of `checkpoints` with one row a thread. */
export function checkpointSection(table: string, ...threads: readonly string[]): string {
  return copySection(
    table,
    checkpointColumns,
    threads.map((thread) => checkpointFields(thread)),
  );
}

/** Parts between the opening and the closing comment of pg_dump. */
export function wholeDump(...parts: readonly string[]): string {
  const opening = ['--', '-- PostgreSQL database dump', '--', '', '\\restrict token', ''];
  const closing = ['--', '-- PostgreSQL database dump complete', '--', '', '\\unrestrict token', ''];
  return [...opening, ...parts, ...closing].join('\n');
}
