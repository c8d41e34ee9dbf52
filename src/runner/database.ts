/**
 * The database of one series: an embedded server of its own, or a schema of its own on somebody else's. The saver's
 * `setup()` runs here, once, before any worker exists: eight processes calling it on an empty database at the same
 * time make seven of them fail.
 */
import { identifyProcess } from '#src/postgres/process-identity.ts';
import { connectExternal } from '#src/postgres/external.ts';
import { startEmbeddedServer } from '#src/postgres/embedded-server.ts';
import { createSeriesSchema, dropSchema, setupSaver } from '#src/postgres/schema.ts';
import { seriesSchemaFor, type SeriesSchema } from '#src/postgres/series-schema-name.ts';
import type { DatabaseServer } from '#src/postgres/database-server.ts';
import type { Watchdog } from '#src/postgres/watchdog.ts';
import type { Releasers } from './releasers.ts';
import { errorText } from '../failure/error-text.ts';

/** Where a series stores its rows. */
export interface SeriesDatabase {
  readonly server: DatabaseServer;
  readonly schema: SeriesSchema;
}

/** Opens the database and leaves its end to the releasers; a killed primary's is left to the watchdog. */
export async function openDatabase(options: {
  db: string | null;
  keepDb: boolean;
  seriesId: string;
  watchdog: Watchdog;
  releasers: Releasers;
}): Promise<SeriesDatabase> {
  const { db, keepDb, seriesId, watchdog, releasers } = options;
  const schema = seriesSchemaFor(seriesId);
  if (db === null) {
    const server = await startEmbeddedServer({ watchdog });
    releasers.add('the embedded server', () => server.stop());
    await createSeriesSchema(server.dsn, schema);
    await setupSaver(server.dsn, schema);
    return { server, schema };
  }
  const server = await connectExternal(db);
  if (!keepDb) {
    const registration = await watchdog.register({ kind: 'drop-schema', dsn: server.dsn, schema });
    try {
      await createSeriesSchema(server.dsn, schema);
    } catch (error) {
      // Whatever bears this name then, this series has not made it and must not drop it.
      registration.release();
      throw error;
    }
    releasers.add(`the schema ${schema}`, async () => {
      await dropSchema(server.dsn, schema);
      registration.release();
    });
  } else await createSeriesSchema(server.dsn, schema);
  await setupSaver(server.dsn, schema);
  return { server, schema };
}

/** Makes sure that a worker process ends with this one, even a stopped one. */
export function guardProcess(watchdog: Watchdog, pid: number, warn: (message: string) => void): void {
  watchdog.register({ kind: 'kill-process', process: identifyProcess(pid) }).catch((error: unknown) => {
    warn(errorText(error));
  });
}
