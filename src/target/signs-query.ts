/** A query whose answer changes with every row that a thread gets. */
import pg from 'pg';
import type { CheckpointTable, TableLayout } from '../postgres/table-layout.ts';

/** `$1`: the thread. *Cost*: an index scan a table, by its primary key. */
export function signsQuery({ schema, columns }: TableLayout): string {
  const watched: readonly CheckpointTable[] = ['checkpoints', 'checkpoint_writes'];
  const counts = watched
    .filter((table) => columns.has(table))
    .map(
      (table) =>
        `(SELECT count(*) FROM ${pg.escapeIdentifier(schema)}.${pg.escapeIdentifier(table)} WHERE thread_id = $1)`,
    );
  return `SELECT concat_ws(' ', ${counts.join(', ')}) AS signs`;
}
