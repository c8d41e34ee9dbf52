import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { InvariantBroken } from '#analysis/model/bug.ts';
import { OperatorError } from '#src/failure/operator-error.ts';
import type { DatabaseServer } from './database-server.ts';
import { effectsTable } from './effects-table.ts';
import { createSeriesSchema, dropSchema, setupSaver } from './schema.ts';
import { seriesDsn } from './series-connection.ts';
import { seriesSchemaFor, type SeriesSchema } from './series-schema-name.ts';
import { openEmbeddedPlace, type EmbeddedPlace } from './testing/embedded-place.ts';
import { startScript } from './testing/script.ts';

let place: EmbeddedPlace;
let server: DatabaseServer;
let pool: pg.Pool;

beforeAll(async () => {
  place = await openEmbeddedPlace();
  ({ server, pool } = place);
});

afterAll(async () => {
  expect(await place.close()).toEqual([]);
});

async function tablesOf(schema: SeriesSchema): Promise<readonly string[]> {
  const { rows } = await pool.query<{ name: string }>(
    'SELECT table_name AS name FROM information_schema.tables WHERE table_schema = $1 ORDER BY 1',
    [schema],
  );
  return rows.map(({ name }) => name);
}

async function schemaExists(schema: SeriesSchema): Promise<boolean> {
  return (await pool.query('SELECT 1 FROM pg_namespace WHERE nspname = $1', [schema])).rowCount === 1;
}

test('a schema gets the tables of the saver and the effects table, and goes away with them', async () => {
  const schema = seriesSchemaFor('Tables 1');
  await createSeriesSchema(server.dsn, schema);
  await setupSaver(server.dsn, schema);
  expect(await tablesOf(schema)).toEqual([
    'checkpoint_blobs',
    'checkpoint_migrations',
    'checkpoint_writes',
    'checkpoints',
    'forkscope_effects',
  ]);
  await pool.query(`INSERT INTO ${effectsTable(schema)} (record) VALUES ($1)`, ['{"node":"__proto__"}']);
  const { rows } = await pool.query(`SELECT id, record->>'node' AS node FROM ${effectsTable(schema)}`);
  expect(rows).toEqual([{ id: '1', node: '__proto__' }]);
  await dropSchema(server.dsn, schema);
  expect(await schemaExists(schema)).toBe(false);
});

test('of eight set-ups at once one does the work, and the others are told that it is a bug', async () => {
  const schema = seriesSchemaFor('eight');
  await createSeriesSchema(server.dsn, schema);
  const results = await Promise.allSettled(Array.from({ length: 8 }, () => setupSaver(server.dsn, schema)));
  const failures = results
    .filter((result) => result.status === 'rejected')
    .map(({ reason }) => reason as unknown);
  expect(failures).toHaveLength(7);
  for (const failure of failures) expect(failure).toBeInstanceOf(InvariantBroken);
  expect(await tablesOf(schema)).toHaveLength(5);
  await dropSchema(server.dsn, schema);
});

test('a schema that exists is not taken over', async () => {
  const schema = seriesSchemaFor('taken');
  await createSeriesSchema(server.dsn, schema);
  const again = await createSeriesSchema(server.dsn, schema).catch((error: unknown) => error);
  expect(again).toBeInstanceOf(OperatorError);
  expect(String(again)).toContain('there is a schema forkscope_taken already');
  await dropSchema(server.dsn, schema);
});

test('dropping a schema that does not exist is no error', async () => {
  await expect(dropSchema(server.dsn, seriesSchemaFor('never'))).resolves.toBeUndefined();
});

test('a session of the series that holds a lock is ended, so that the drop does not wait for it', async () => {
  const schema = seriesSchemaFor('held');
  await createSeriesSchema(server.dsn, schema);
  await setupSaver(server.dsn, schema);
  const holder = new pg.Client({ connectionString: seriesDsn(server.dsn, schema) });
  const ended = new Promise((resolve) => holder.on('error', resolve));
  await holder.connect();
  await holder.query(`BEGIN; LOCK TABLE "${schema}".checkpoints IN ACCESS EXCLUSIVE MODE`);
  await dropSchema(server.dsn, schema);
  expect(await schemaExists(schema)).toBe(false);
  expect(await ended).toMatchObject({ code: '57P01' });
});

test('a session that is not of the series is left alone, and the error names what to do', async () => {
  const schema = seriesSchemaFor('foreign');
  await createSeriesSchema(server.dsn, schema);
  await setupSaver(server.dsn, schema);
  const holder = await pool.connect();
  await holder.query(`BEGIN; LOCK TABLE "${schema}".checkpoints IN ACCESS EXCLUSIVE MODE`);
  await expect(dropSchema(server.dsn, schema)).rejects.toThrow(
    /forkscope_foreign cannot be dropped.*DROP SCHEMA "forkscope_foreign" CASCADE/,
  );
  await holder.query('ROLLBACK');
  holder.release();
  await dropSchema(server.dsn, schema);
});

test('a primary that is killed outright leaves no schema on a server that is not its own', async () => {
  const schema = seriesSchemaFor('killed');
  const script = startScript(
    `const { startWatchdog } = await postgres('watchdog');
     const { createSeriesSchema, setupSaver } = await postgres('schema');
     const [dsn, schema] = [process.env.TEST_DSN, '${schema}'];
     await startWatchdog().register({ kind: 'drop-schema', dsn, schema });
     await createSeriesSchema(dsn, schema);
     await setupSaver(dsn, schema);
     console.log('created it');
     setInterval(() => undefined, 1000);`,
    { env: { TEST_DSN: server.dsn } },
  );
  await script.heard('created');
  expect(await schemaExists(schema)).toBe(true);
  script.kill('SIGKILL');
  await script.ended;
  await expect.poll(() => schemaExists(schema), { timeout: 20_000 }).toBe(false);
});
