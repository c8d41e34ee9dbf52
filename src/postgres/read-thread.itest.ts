import { PostgresSaver } from '@langchain/langgraph-checkpoint-postgres';
import { emptyCheckpoint } from '@langchain/langgraph-checkpoint';
import type pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { OperatorError } from '#src/failure/operator-error.ts';
import type { DatabaseServer } from './database-server.ts';
import { readThreadRows } from './read-thread.ts';
import { createSeriesSchema, setupSaver } from './schema.ts';
import { seriesSchemaFor } from './series-schema-name.ts';
import { openEmbeddedPlace, poolOf, type EmbeddedPlace } from './testing/embedded-place.ts';

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

test('rows that the saver wrote are read back with every column, several threads at once and in the order asked', async () => {
  const schema = seriesSchemaFor('saver');
  await createSeriesSchema(server.dsn, schema);
  await setupSaver(server.dsn, schema);
  const saver = new PostgresSaver(pool, undefined, { schema });
  const threads = ['b', 'a\u001b[31m', 'never-seen'];
  for (const thread_id of threads.slice(0, 2)) {
    const config = { configurable: { thread_id, checkpoint_ns: '' } };
    const checkpoint = { ...emptyCheckpoint(), channel_values: { x: [1] }, channel_versions: { x: 1 } };
    const stored = await saver.put(
      config,
      checkpoint,
      { source: 'loop', step: 3, parents: {} },
      { x: 1, y: 2 },
    );
    await saver.putWrites(
      stored,
      [
        ['x', 'é'],
        ['__error__', { message: 'no' }],
      ],
      'task-1',
    );
  }

  const [b, a, never] = await readThreadRows(pool, schema, threads);

  expect(b?.thread).toBe('b');
  expect(b?.checkpoints).toHaveLength(1);
  expect(JSON.parse(b?.checkpoints[0]?.metadata ?? '')).toEqual({ source: 'loop', step: 3, parents: {} });
  const id = b?.checkpoints[0]?.checkpoint_id;
  expect(b?.checkpoints[0]).toMatchObject({ thread_id: 'b', checkpoint_ns: '', parent_checkpoint_id: null });
  expect(JSON.parse(b?.checkpoints[0]?.checkpoint ?? '')).toMatchObject({ id, channel_versions: { x: 1 } });
  expect(b?.blobs).toEqual([
    { thread_id: 'b', checkpoint_ns: '', channel: 'x', version: '1', type: 'json', blob: Buffer.from('[1]') },
    { thread_id: 'b', checkpoint_ns: '', channel: 'y', version: '2', type: 'empty', blob: null },
  ]);
  const write = {
    thread_id: 'b',
    checkpoint_ns: '',
    checkpoint_id: id,
    task_id: 'task-1',
    type: 'json',
    task_path: null,
  };
  expect(b?.writes).toEqual([
    { ...write, idx: -1, channel: '__error__', blob: Buffer.from('{"message":"no"}') },
    { ...write, idx: 0, channel: 'x', blob: Buffer.from('"é"') },
  ]);
  expect(a?.checkpoints).toHaveLength(1);
  expect(a?.writes).toHaveLength(2);
  expect(never).toEqual({ thread: 'never-seen', checkpoints: [], blobs: [], writes: [] });
});

test('JSON comes as text, so that great numbers and the key __proto__ survive', async () => {
  await pool.query(`
    CREATE SCHEMA exact;
    CREATE TABLE exact.checkpoints (thread_id text, checkpoint_ns text, checkpoint_id text, parent_checkpoint_id text,
      checkpoint jsonb, metadata jsonb);
    INSERT INTO exact.checkpoints VALUES
      ('t', '', '1', NULL, '{"v": 12345678901234567890, "__proto__": {"a": 1}}', '{}')`);
  const [rows] = await readThreadRows(pool, 'exact', ['t']);
  expect(rows?.checkpoints[0]?.checkpoint).toBe('{"v": 12345678901234567890, "__proto__": {"a": 1}}');
  expect(rows).toMatchObject({ blobs: null, writes: null }); // tables that do not exist are not empty ones
});

test('a task path is read where the column exists', async () => {
  await pool.query(`
    CREATE SCHEMA python;
    CREATE TABLE python.checkpoints (thread_id text, checkpoint_ns text, checkpoint_id text, parent_checkpoint_id text,
      checkpoint jsonb, metadata jsonb);
    CREATE TABLE python.checkpoint_writes (thread_id text, checkpoint_ns text, checkpoint_id text, task_id text,
      idx int, channel text, type text, blob bytea, task_path text);
    INSERT INTO python.checkpoint_writes VALUES
      ('t', '', '1', 'k', 0, 'x', 'msgpack', '\\xa1', '~__pregel_pull, plan')`);
  const [rows] = await readThreadRows(pool, 'python', ['t']);
  expect(rows?.writes).toMatchObject([{ task_path: '~__pregel_pull, plan', blob: Buffer.from([0xa1]) }]);
});

test('the tables of a shallow saver, which have no ids, parents and versions, are read all the same', async () => {
  await pool.query(`
    CREATE SCHEMA shallow;
    CREATE TABLE shallow.checkpoints (thread_id text, checkpoint_ns text, type text, checkpoint jsonb, metadata jsonb);
    CREATE TABLE shallow.checkpoint_blobs (thread_id text, checkpoint_ns text, channel text, type text, blob bytea);
    INSERT INTO shallow.checkpoints VALUES ('t', '', NULL, '{"id": "1ef"}', '{}');
    INSERT INTO shallow.checkpoint_blobs VALUES ('t', '', 'x', 'empty', NULL)`);
  const [rows] = await readThreadRows(pool, 'shallow', ['t']);
  expect(rows?.checkpoints).toMatchObject([{ checkpoint_id: '1ef', parent_checkpoint_id: null }]);
  expect(rows?.blobs).toMatchObject([{ channel: 'x', version: '', type: 'empty', blob: null }]);
});

test('ids of type uuid are read as text', async () => {
  await pool.query(`
    CREATE SCHEMA platform;
    CREATE TABLE platform.checkpoints (thread_id uuid, checkpoint_ns text, checkpoint_id uuid,
      parent_checkpoint_id uuid, checkpoint jsonb, metadata jsonb);
    INSERT INTO platform.checkpoints VALUES ('00000000-0000-0000-0000-00000000000a', '',
      '00000000-0000-0000-0000-00000000000b', NULL, '{}', '{}')`);
  const [rows] = await readThreadRows(pool, 'platform', ['00000000-0000-0000-0000-00000000000a']);
  expect(rows?.checkpoints).toMatchObject([{ checkpoint_id: '00000000-0000-0000-0000-00000000000b' }]);
});

test('a schema without such tables is an operator error, and is asked again once it has them', async () => {
  await pool.query('CREATE SCHEMA late');
  const failure = await readThreadRows(pool, 'late', ['t']).catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(OperatorError);
  expect(String(failure)).toContain('schema late');
  await pool.query(`CREATE TABLE late.checkpoints (thread_id text, checkpoint_ns text, checkpoint_id text,
    parent_checkpoint_id text, checkpoint jsonb, metadata jsonb)`);
  expect(await readThreadRows(pool, 'late', ['t'])).toMatchObject([{ checkpoints: [] }]);
});

test('a read leaves the connection outside of any transaction', async () => {
  const single = poolOf(server, 1);
  await readThreadRows(single, 'exact', ['t']);
  await single.query('CREATE TABLE exact.visible_elsewhere ()');
  await single.end();
  expect((await pool.query("SELECT to_regclass('exact.visible_elsewhere') AS name")).rows).toEqual([
    { name: 'exact.visible_elsewhere' },
  ]);
});

test('a thread that grows during the read is seen at one moment in all tables', async () => {
  await pool.query(`
    CREATE SCHEMA growing;
    CREATE TABLE growing.checkpoints (thread_id text, checkpoint_ns text, checkpoint_id text,
      parent_checkpoint_id text, checkpoint jsonb, metadata jsonb);
    CREATE TABLE growing.checkpoint_writes (thread_id text, checkpoint_ns text, checkpoint_id text, task_id text,
      idx int, channel text, type text, blob bytea)`);
  const readers = poolOf(server, 1);
  const writing = (async () => {
    for (let id = 0; id < 300; id++) {
      await pool.query(`BEGIN;
        INSERT INTO growing.checkpoints VALUES ('t', '', '${id}', NULL, '{}', '{}');
        INSERT INTO growing.checkpoint_writes VALUES ('t', '', '${id}', 'k', 0, 'x', NULL, NULL);
        COMMIT`);
    }
  })();
  for (let seen = 0; seen < 300;) {
    const [rows] = await readThreadRows(readers, 'growing', ['t']);
    const checkpoints = rows?.checkpoints.map((row) => row.checkpoint_id);
    expect(rows?.writes?.map((row) => row.checkpoint_id)).toEqual(checkpoints);
    seen = checkpoints?.length ?? 0;
  }
  await writing;
  await readers.end();
});
