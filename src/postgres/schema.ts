/**
 * How does a series get its tables? A schema of its own with the tables of LangGraph's saver and the effects table.
 * Easy to get wrong: `PostgresSaver.setup()` guards nothing against itself; of 8 processes that call it at once on an
 * empty database 7 fail. So it is called by the primary alone, before any worker starts.
 */
import pg from 'pg';
import { invariant } from '#analysis/model/bug.ts';
import { OperatorError } from '#src/failure/operator-error.ts';
import { connectionFailure, isDriverFailure, placeOf } from './connection-failure.ts';
import { createEffectsTable } from './effects-table.ts';
import { openPool } from './open-pool.ts';
import { seriesDsn } from './series-connection.ts';
import type { SeriesSchema } from './series-schema-name.ts';
import { codeOf, sqlstate } from './sqlstate.ts';
import { withClient } from './with-client.ts';

export { dropSchema } from './drop-schema.ts';

/**
 * Creates an empty schema. Register its drop with the watchdog before, and release that registration if this fails:
 * it fails with an `OperatorError` also when a schema of that name exists, which then belongs to another series.
 */
export async function createSeriesSchema(dsn: string, schema: SeriesSchema): Promise<void> {
  await withClient(seriesDsn(dsn, schema), async (client) => {
    try {
      await client.query(`CREATE SCHEMA ${pg.escapeIdentifier(schema)}`);
    } catch (error) {
      if (codeOf(error) !== sqlstate.duplicateSchema) throw error;
      throw new OperatorError({
        happened: `there is a schema ${schema} already`,
        place: placeOf(dsn),
        remedy: `Drop it (DROP SCHEMA ${pg.escapeIdentifier(schema)} CASCADE), or run the series under another id.`,
        cause: error,
      });
    }
  });
}

/** What creating a table fails with when it exists, or when another session is just creating it. */
const existsAlready: ReadonlySet<string> = new Set([
  sqlstate.duplicateTable,
  sqlstate.duplicateObject,
  sqlstate.uniqueViolation,
]);

/**
 * Creates the tables: LangGraph's by `PostgresSaver.setup()`, and `forkscope_effects`. Once per schema, whoever calls:
 * creating the effects table comes first and lets only one caller through, in this process or any other. A second
 * call is a bug and throws `InvariantBroken`.
 */
export async function setupSaver(dsn: string, schema: SeriesSchema): Promise<void> {
  const { PostgresSaver } = await import('@langchain/langgraph-checkpoint-postgres');
  const connectionString = seriesDsn(dsn, schema);
  await withClient(connectionString, async (client) => {
    try {
      await createEffectsTable(client, schema);
    } catch (error) {
      invariant(!existsAlready.has(codeOf(error) ?? ''), 'the tables of a schema are set up once');
      throw error;
    }
  });
  const pool = openPool({ connectionString, max: 1 });
  try {
    await new PostgresSaver(pool, undefined, { schema }).setup();
  } catch (error) {
    throw isDriverFailure(error) ? connectionFailure(error, dsn) : error;
  } finally {
    await pool.end();
  }
}
