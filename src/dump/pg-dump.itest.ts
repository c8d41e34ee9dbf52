import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ThreadRows } from '#analysis/model/checkpoint.ts';
import type { DatabaseServer } from '#src/postgres/database-server.ts';
import { startEmbeddedServer } from '#src/postgres/embedded-server.ts';
import { startWatchdog, type Watchdog } from '#src/postgres/watchdog.ts';
import { chunked, readAll } from './testing/read-all.ts';

const hasTools = ['pg_dump', 'pg_restore'].every((program) => {
  try {
    execFileSync(program, ['--version']);
    return true;
  } catch {
    return false;
  }
});

/** Ids that every layer of a dump must escape: COPY, SQL, identifiers, UTF-8. */
const threads = ['plain', "it's \\N", '\\.', 'tab\tline\nreturn\r', 'ünï\u{1f600}', '$$;--/*', ''];

const definitions = `
  CREATE SCHEMA agents;
  CREATE SCHEMA "Odd "" Schema";
  CREATE TABLE agents.checkpoints (extra float8 DEFAULT -1e+30, thread_id text, checkpoint_ns text,
    checkpoint_id text, parent_checkpoint_id text, type text, checkpoint jsonb, metadata jsonb
  ) PARTITION BY HASH (thread_id);
  CREATE TABLE agents.part_0 PARTITION OF agents.checkpoints FOR VALUES WITH (MODULUS 2, REMAINDER 0);
  CREATE TABLE agents.part_1 PARTITION OF agents.checkpoints FOR VALUES WITH (MODULUS 2, REMAINDER 1);
  CREATE TABLE "Odd "" Schema".checkpoints (thread_id text, checkpoint_ns text, checkpoint_id text,
    parent_checkpoint_id text, type text, checkpoint jsonb, metadata jsonb);
  CREATE TABLE "Odd "" Schema".checkpoint_blobs (thread_id text, checkpoint_ns text, channel text, version text,
    type text, blob bytea);
  CREATE TABLE public.notes (checkpoints text);
  COMMENT ON TABLE public.notes IS 'COPY public.checkpoints FROM stdin;
';
  CREATE FUNCTION public.note(t text) RETURNS void LANGUAGE sql BEGIN ATOMIC
    INSERT INTO public.notes VALUES (t); SELECT CASE WHEN true THEN 1 END; END;`;

let watchdog: Watchdog;
let server: DatabaseServer;
let folder: string;

describe.runIf(hasTools)('what pg_dump writes of a server (skipped where pg_dump is not installed)', () => {
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'pg-dump-'));
    watchdog = startWatchdog();
    server = await startEmbeddedServer({ watchdog });
    const client = new pg.Client({ connectionString: server.dsn });
    await client.connect();
    await client.query(definitions);
    for (const thread of threads) {
      const checkpoint = JSON.stringify({
        v: 4,
        channel_versions: { [`c ${thread}`]: 1 },
        versions_seen: {},
      });
      const values = [thread, 'n', 'c1', null, null, checkpoint, JSON.stringify({ step: 0, note: thread })];
      for (const table of ['agents.checkpoints', '"Odd "" Schema".checkpoints']) {
        await client.query(
          `INSERT INTO ${table} (thread_id, checkpoint_ns, checkpoint_id, parent_checkpoint_id, type, checkpoint,
           metadata) VALUES ($1, $2, $3, $4, $5, $6, $7)`,
          values,
        );
      }
      await client.query(
        `INSERT INTO "Odd "" Schema".checkpoint_blobs VALUES ($1, '', 'c', '1', 'bytes', $2)`,
        [thread, Buffer.from([...Buffer.from(thread), 0, 255])],
      );
      await client.query('INSERT INTO public.notes VALUES ($1)', [
        `${thread}\nCOPY agents.checkpoints FROM stdin;\n`,
      ]);
    }
    await client.end();
  });
  afterAll(async () => {
    await server.stop();
    await watchdog.close();
    await rm(folder, { recursive: true });
  });

  function dump(name: string, ...options: readonly string[]): string {
    const target = join(folder, name);
    execFileSync('pg_dump', ['--dbname', server.dsn, '--file', target, ...options]);
    return target;
  }

  function expectEveryThread(rows: readonly ThreadRows[]): void {
    for (const schema of ['agents', 'Odd " Schema']) {
      const own = rows.filter((one) => one.schema === schema);
      expect(new Set(own.map((one) => one.thread as string))).toEqual(new Set(threads));
      for (const { thread, checkpoints, blobs } of own) {
        expect(checkpoints).toMatchObject([
          { namespace: 'n', step: 0, channelVersions: new Map([[`c ${thread}`, 1]]) },
        ]);
        expect(checkpoints[0]?.metadata).toEqual(new Map([['note', thread]]));
        const bytes = Buffer.from([...Buffer.from(thread), 0, 255]);
        expect(blobs).toEqual(
          schema === 'agents' ? null : [expect.objectContaining({ value: { type: 'bytes', bytes } })],
        );
      }
    }
    expect(rows.length).toBe(2 * threads.length);
  }

  test.each<[string, ...string[]]>([
    ['plain'],
    ['inserts', '--inserts'],
    ['several rows a statement', '--inserts', '--rows-per-insert=3', '--on-conflict-do-nothing'],
    ['column inserts', '--column-inserts'],
    ['through the partition root', '--load-via-partition-root', '--create', '--clean'],
    ['data only, through the partition root', '--data-only', '--load-via-partition-root'],
    ['quoted', '--quote-all-identifiers', '--inserts'],
    ['custom', '-Fc'],
    ['custom, uncompressed, of inserts', '-Fc', '-Z0', '--inserts'],
    ['directory', '-Fd'],
    ['tar', '-Ft'],
    ['plain, gzipped by pg_dump', '-Z6'],
  ])('%s: every thread of both schemas, the partitions included', async (name, ...options) => {
    // Values of a plain file are read when they are asked for; here they all are.
    const whole = { keptValueBytes: 1 << 20 };
    expectEveryThread(await readAll({ kind: 'file', path: dump(name, ...options) }, whole));
  });

  test('a custom archive from standard input holds the partitions too', async () => {
    expectEveryThread(await readAll(chunked(readFileSync(dump('piped', '-Fc')))));
  });
});
