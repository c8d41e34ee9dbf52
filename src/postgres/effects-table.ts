/**
 * The second, independent instrument: a table that holds the same effect records as the log file. One `jsonb` column
 * and a serial id are enough, since the analysis decodes records of either instrument the same way. Easy to get wrong:
 * the id says in which order rows were inserted, not in which order effects happened.
 */
import pg from 'pg';
import type { SeriesSchema } from './series-schema-name.ts';

/** The qualified and quoted name of the effects table of a schema. */
export function effectsTable(schema: SeriesSchema): string {
  return `${pg.escapeIdentifier(schema)}.forkscope_effects`;
}

/**
 * Creates the table: `id bigserial primary key`, `record jsonb not null` (one effect record a row, as in the file).
 * Fails as the driver does, with `duplicate_table` when it exists.
 */
export async function createEffectsTable(client: pg.ClientBase, schema: SeriesSchema): Promise<void> {
  await client.query(
    `CREATE TABLE ${effectsTable(schema)} (id bigserial PRIMARY KEY, record jsonb NOT NULL)`,
  );
}
