/**
 * Which of LangGraph's tables and columns does a schema have? Years of versions differ: `task_path` came late (Python
 * only), a shallow saver keeps no checkpoint ids, parents or versions, and old schemas lack whole tables. Easy to get
 * wrong: the number in `checkpoint_migrations` does not say, since Python once renumbered its migrations; only the
 * columns themselves do.
 */
import type pg from 'pg';
import { OperatorError } from '#src/failure/operator-error.ts';
import { textField, type DriverRow } from './row-fields.ts';

/** The tables that rows are read from. */
export const checkpointTables = ['checkpoints', 'checkpoint_blobs', 'checkpoint_writes'] as const;

/** One of them. */
export type CheckpointTable = (typeof checkpointTables)[number];

/** Table → names of its columns. A table that does not exist, or may not be read, is absent. */
export interface TableLayout {
  readonly schema: string;
  readonly columns: ReadonlyMap<CheckpointTable, ReadonlySet<string>>;
}

const columnsQuery = `
  SELECT table_name::text, column_name::text FROM information_schema.columns
  WHERE table_schema = $1 AND table_name = ANY($2)`;

/**
 * Asks for the columns of a schema. Fails with an `OperatorError` when it has no table `checkpoints`, without which
 * nothing can be said.
 */
export async function readTableLayout(client: pg.ClientBase, schema: string): Promise<TableLayout> {
  const { rows } = await client.query<DriverRow>(columnsQuery, [schema, checkpointTables]);
  const columns = new Map<CheckpointTable, Set<string>>();
  for (const row of rows) {
    const name = textField(row, 'table_name');
    const table = checkpointTables.find((known) => known === name);
    if (table === undefined) continue;
    const known = columns.get(table) ?? new Set();
    columns.set(table, known.add(textField(row, 'column_name')));
  }
  if (!columns.has('checkpoints')) {
    throw new OperatorError({
      happened: 'there are no checkpoints that this role can read',
      place: `schema ${schema}`,
      expected: "the tables of LangGraph's Postgres saver",
      remedy: 'Name the schema that holds them, and a role that may read them.',
    });
  }
  return { schema, columns };
}

/** Whether a column exists. */
export function hasColumn(layout: TableLayout, table: CheckpointTable, column: string): boolean {
  return layout.columns.get(table)?.has(column) ?? false;
}
