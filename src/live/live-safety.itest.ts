import { createServer, type AddressInfo } from 'node:net';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { OperatorError } from '../failure/operator-error.ts';
import type { DatabaseServer } from '../postgres/database-server.ts';
import { parseDsn } from '../postgres/dsn.ts';
import { startEmbeddedServer } from '../postgres/embedded-server.ts';
import { startWatchdog, type Watchdog } from '../postgres/watchdog.ts';
import { withClient } from '../postgres/with-client.ts';
import { LiveSession } from './live-session.ts';
import { liveDefaults } from './live-settings.ts';
import { openLive, type LiveRequest } from './open-live.ts';
import { dsnOf, loadSet } from './testing/load-dump.ts';
import { everything, reportsOf } from './testing/reports.ts';

const login = { user: 'auditor', password: 'p w:%@/é' };

let watchdog: Watchdog;
let server: DatabaseServer;
let owner: string;
let auditor: string;

beforeAll(async () => {
  watchdog = startWatchdog();
  server = await startEmbeddedServer({ watchdog });
  owner = await loadSet(server.dsn, 'shop', 'race-js', 'agents');
  auditor = dsnOf(server.dsn, 'shop', login);
  await ask(`CREATE ROLE auditor LOGIN PASSWORD ${pg.escapeLiteral(login.password)}`);
});
afterAll(async () => {
  await server.stop();
  await watchdog.close();
});
afterEach(() => {
  vi.unstubAllEnvs();
});

async function ask(sql: string): Promise<readonly Record<string, unknown>[]> {
  return withClient(owner, async (client) => (await client.query<Record<string, unknown>>(sql)).rows);
}

/** Waits until the server has no session of an audit left. */
async function noneLeft(): Promise<void> {
  while ((await ask("SELECT FROM pg_stat_activity WHERE application_name = 'forkscope'")).length > 0) {
    await delay(20);
  }
}

function request(stop: AbortSignal, settings = liveDefaults): LiveRequest {
  return {
    dsn: owner,
    schema: null,
    threads: null,
    choice: { sinceMs: null, untilMs: null, limit: null },
    values: 'wanted',
    settings,
    note: () => undefined,
    stop,
  };
}

const never = new AbortController().signal;

describe('the audited server', () => {
  test('is asked in a transaction that can change nothing, under a name and with limits', async () => {
    const session = await LiveSession.open(owner, liveDefaults, never);
    const [facts] = await session.query(
      `SELECT current_setting('transaction_isolation') AS isolation, current_setting('application_name') AS name,
              current_setting('statement_timeout') AS statement, current_setting('lock_timeout') AS lock,
              current_setting('idle_in_transaction_session_timeout') AS idle`,
      null,
    );
    expect(facts).toEqual({
      isolation: 'repeatable read',
      name: 'forkscope',
      statement: '1h',
      lock: '5s',
      idle: '5min',
    });
    const insert = session.query('INSERT INTO agents.checkpoint_migrations VALUES (99)', 'a test');
    await expect(insert).rejects.toThrow('the server is read-only');
    await session.close();
    await noneLeft();
  });

  test('holds afterwards what it held before, and nobody wrote', async () => {
    const state = `
      SELECT (SELECT md5(string_agg(c::text, '' ORDER BY c::text)) FROM agents.checkpoints c) AS checkpoints,
             (SELECT md5(string_agg(b::text, '' ORDER BY b::text)) FROM agents.checkpoint_blobs b) AS blobs,
             (SELECT md5(string_agg(w::text, '' ORDER BY w::text)) FROM agents.checkpoint_writes w) AS writes,
             (SELECT md5(string_agg(c.oid || c.relname, '' ORDER BY c.oid)) FROM pg_class c) AS catalogue,
             tup_inserted, tup_updated, tup_deleted, temp_files
      FROM pg_stat_database WHERE datname = 'shop'`;
    await ask('SELECT pg_stat_force_next_flush()');
    const before = await ask(state);
    expect(await reportsOf({ ...everything, place: owner })).not.toEqual([]);
    await noneLeft();
    expect(await ask(state)).toEqual(before);
  });

  test.each([
    ['a schema change holds a lock', { lockTimeoutMs: 50 }, 'locked by a schema change'],
    ['a statement takes too long', { lockTimeoutMs: 0, statementTimeoutMs: 50 }, '--statement-timeout'],
  ])('is let alone when %s', async (_, limits, message) => {
    await withClient(owner, async (client) => {
      await client.query('BEGIN; LOCK TABLE agents.checkpoints IN ACCESS EXCLUSIVE MODE');
      await expect(openLive(request(never, { ...liveDefaults, ...limits }))).rejects.toThrow(message);
    });
    await noneLeft();
  });
});

describe('an audit ends at any moment', () => {
  test('while rows are read', async () => {
    const stop = new AbortController();
    const live = await openLive(request(stop.signal, { ...liveDefaults, rangeBytes: 8192 }));
    expect(live.texts).toHaveLength(2);
    const readers = live.texts.map((text) => text[Symbol.asyncIterator]());
    for (const reader of readers) {
      await reader.next();
      await reader.next();
    }
    stop.abort(new Error('enough'));
    for (const reader of readers) await expect(drained(reader)).rejects.toThrow('enough');
    await live.close();
    await noneLeft();
  });

  test('while the server works on an answer', async () => {
    const stop = new AbortController();
    const session = await LiveSession.open(owner, liveDefaults, stop.signal);
    const answer = session.query('SELECT pg_sleep(3600)', 'a test');
    while ((await ask("SELECT FROM pg_stat_activity WHERE wait_event = 'PgSleep'")).length === 0)
      await delay(10);
    stop.abort(new Error('enough'));
    await expect(answer).rejects.toThrow('enough');
    await noneLeft();
  });

  test('while nobody answers the connection', async () => {
    const silent = createServer(() => undefined).listen(0, '127.0.0.1');
    await new Promise((resolve) => silent.once('listening', resolve));
    const { port } = silent.address() as AddressInfo;
    const stop = new AbortController();
    const opening = openLive({ ...request(stop.signal), dsn: `postgres://u@127.0.0.1:${port}/d` });
    silent.once('connection', () => {
      stop.abort(new Error('enough'));
    });
    await expect(opening).rejects.toThrow('enough');
    silent.close();
  });

  test('when its reader breaks off', async () => {
    const live = await openLive(request(never, { ...liveDefaults, rangeBytes: 8192 }));
    for (const text of live.texts) for await (const chunk of text) if (chunk.length > 0) break;
    await live.close();
    await noneLeft();
  });
});

async function drained(reader: AsyncIterator<unknown>): Promise<void> {
  while ((await reader.next()).done !== true);
}

describe('a role', () => {
  test('without privileges is told the GRANTs that are enough, and no more', async () => {
    const refusal = await reportsOf({ ...everything, place: auditor }).catch((error: unknown) => error);
    expect(refusal).toBeInstanceOf(OperatorError);
    const grants = (refusal as OperatorError).remedy.match(/GRANT [^;]+;/g) ?? [];
    expect(grants).toEqual([
      'GRANT USAGE ON SCHEMA "agents" TO "auditor";',
      'GRANT SELECT ON "agents"."checkpoint_blobs" TO "auditor";',
      'GRANT SELECT ON "agents"."checkpoint_writes" TO "auditor";',
      'GRANT SELECT ON "agents"."checkpoints" TO "auditor";',
    ]);
    await ask(grants.join(' '));
    expect(await reportsOf({ ...everything, place: auditor })).toEqual(
      await reportsOf({ ...everything, place: owner }),
    );
  });

  test('from which a policy would hide rows is refused rather than shown half a tree', async () => {
    await ask('ALTER TABLE agents.checkpoints ENABLE ROW LEVEL SECURITY');
    try {
      await expect(reportsOf({ ...everything, place: auditor })).rejects.toThrow('row-level policy');
    } finally {
      await ask('ALTER TABLE agents.checkpoints DISABLE ROW LEVEL SECURITY');
    }
  });

  test.each([
    [
      'that may have one connection',
      'ALTER ROLE auditor CONNECTION LIMIT 1',
      'ALTER ROLE auditor CONNECTION LIMIT -1',
      'no further one shares its snapshot',
    ],
    [
      'that may not export a snapshot',
      'REVOKE EXECUTE ON FUNCTION pg_export_snapshot() FROM PUBLIC',
      'GRANT EXECUTE ON FUNCTION pg_export_snapshot() TO PUBLIC',
      'the server exports no snapshot',
    ],
  ])('%s reads everything with it, and says so', async (_, forbid, allow, sentence) => {
    await ask(forbid);
    try {
      const notes: string[] = [];
      const note = (text: string): number => notes.push(text);
      const reports = await reportsOf({ ...everything, place: auditor, note });
      expect(reports).toEqual(await reportsOf({ ...everything, place: owner }));
      expect(notes).toEqual([expect.stringContaining(sentence)]);
    } finally {
      await ask(allow);
    }
  });
});

describe('the way to the server', () => {
  test('comes from PG* variables where the string leaves it out, the password from .pgpass', async () => {
    const { host, port } = parseDsn(server.dsn) ?? {};
    const folder = await mkdtemp(join(tmpdir(), 'pgpass-'));
    const file = join(folder, 'pgpass');
    await writeFile(file, `*:*:shop:auditor:${login.password.replace(':', '\\:')}\n`, { mode: 0o600 });
    vi.stubEnv('PGHOST', String(host));
    vi.stubEnv('PGPORT', String(port));
    vi.stubEnv('PGUSER', 'auditor');
    vi.stubEnv('PGPASSFILE', file);
    try {
      const expected = await reportsOf({ ...everything, place: owner });
      expect(await reportsOf({ ...everything, place: 'postgres:///shop' })).toEqual(expected);
      vi.stubEnv('PGDATABASE', 'shop');
      expect(await reportsOf({ ...everything, place: 'postgres://' })).toEqual(expected);
      const live = await openLive({ ...request(never), dsn: 'postgres://' });
      expect(live.name).toBe(`postgres://auditor@${String(host)}:${String(port)}/shop`);
      await live.close();
    } finally {
      await rm(folder, { recursive: true });
    }
  });

  test.each([
    ['a wrong password', 'sekret-1', 'the password was refused'],
    ['an unreadable string', 'sekret-1@2', 'no connection string'],
  ])('is told without the password: %s', async (_, password, message) => {
    const place = owner.replace(/:[^:@/]+@/, `:${password}@`);
    const refusal = await reportsOf({ ...everything, place }).catch((error: unknown) => error);
    expect(String(refusal)).toContain(message);
    expect(String(refusal)).not.toContain('sekret');
  });

  test('that leads nowhere is said, and that TLS is required where there is none', async () => {
    const nowhere = owner.replace(/:\d+\//, ':1/');
    await expect(reportsOf({ ...everything, place: nowhere })).rejects.toThrow('nothing listens there');
    await expect(reportsOf({ ...everything, place: `${owner}?sslmode=require` })).rejects.toThrow('SSL');
  });
});
