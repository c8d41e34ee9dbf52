/**
 * A table spread over two servers: hash-partitioned by thread, each partition a foreign table. Easy to get wrong: the
 * answer is right even when every row comes over the wire, so the plan has to be looked at too.
 */
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { LiveSession } from '../live/live-session.ts';
import { liveDefaults } from '../live/live-settings.ts';
import { findTables, type LiveTable } from '../live/live-tables.ts';
import { parseDsn } from '../postgres/dsn.ts';
import type { DatabaseServer } from '../postgres/database-server.ts';
import { startEmbeddedServer } from '../postgres/embedded-server.ts';
import { startWatchdog, type Watchdog } from '../postgres/watchdog.ts';
import { withClient } from '../postgres/with-client.ts';
import { census, type CensusTotals, type SuspiciousThread } from './census.ts';
import { censusSchemas } from './census-tables.ts';
import { censusSql, sessionSettings } from './census-sql.ts';
import { fillFromCorpus, tablesSql } from './testing/load-corpus.ts';

const sets = ['clean-js', 'race-fresh-js', 'zoo-py'] as const;
const columns: Readonly<Record<string, string>> = {
  checkpoints:
    'thread_id text NOT NULL, checkpoint_ns text NOT NULL, checkpoint_id text NOT NULL, parent_checkpoint_id text, type text, checkpoint jsonb NOT NULL, metadata jsonb NOT NULL',
  checkpoint_blobs:
    'thread_id text NOT NULL, checkpoint_ns text NOT NULL, channel text NOT NULL, version text NOT NULL, type text NOT NULL, blob bytea',
  checkpoint_writes:
    'thread_id text NOT NULL, checkpoint_ns text NOT NULL, checkpoint_id text NOT NULL, task_id text NOT NULL, idx integer NOT NULL, channel text NOT NULL, type text, blob bytea NOT NULL, task_path text NOT NULL',
};

let watchdog: Watchdog;
let servers: readonly DatabaseServer[] = [];

beforeAll(async () => {
  watchdog = startWatchdog();
  servers = [await startEmbeddedServer({ watchdog }), await startEmbeddedServer({ watchdog })];
  const [first, second] = servers;
  if (first === undefined || second === undefined) throw new Error('two were started');
  // Each server keeps one partition in `shard`; the first also has the whole, once in one piece and once in parts.
  for (const { dsn } of servers) await withClient(dsn, (client) => client.query(tablesSql('shard')));
  await withClient(first.dsn, async (client) => {
    await client.query(tablesSql('whole'));
    for (const set of sets) await fillFromCorpus(client, 'whole', set);
    await client.query('CREATE EXTENSION postgres_fdw; CREATE SCHEMA parts;');
    for (const [at, { dsn }] of servers.entries()) await client.query(serverSql(`s${at}`, dsn));
    for (const [table, definition] of Object.entries(columns)) {
      await client.query(`CREATE TABLE parts.${table} (${definition}) PARTITION BY HASH (thread_id)`);
      for (const at of servers.keys()) {
        await client.query(
          `CREATE FOREIGN TABLE parts.${table}_${at} PARTITION OF parts.${table}
             FOR VALUES WITH (MODULUS 2, REMAINDER ${at}) SERVER s${at}
             OPTIONS (schema_name 'shard', table_name '${table}')`,
        );
      }
      await client.query(`INSERT INTO parts.${table} SELECT * FROM whole.${table}`);
    }
  });
  for (const { dsn } of servers) await withClient(dsn, (client) => client.query('ANALYZE'));
});
afterAll(async () => {
  for (const server of servers) await server.stop();
  await watchdog.close();
});

function serverSql(name: string, dsn: string): string {
  const { host, port, database, user, password } = parseDsn(dsn) ?? {};
  const options = Object.entries({ host, port, dbname: database, use_remote_estimate: 'true' });
  const list = (pairs: readonly (readonly [string, string | null | undefined])[]): string =>
    pairs.map(([key, value]) => `${key} ${pg.escapeLiteral(value ?? '')}`).join(', ');
  return `CREATE SERVER ${name} FOREIGN DATA WRAPPER postgres_fdw OPTIONS (${list(options)});
    CREATE USER MAPPING FOR CURRENT_USER SERVER ${name} OPTIONS (${list([
      ['user', user],
      ['password', password],
    ])})`;
}

async function inSession<Result>(
  work: (
    session: LiveSession,
    tablesOf: (schema: string) => Promise<readonly LiveTable[]>,
  ) => Promise<Result>,
): Promise<Result> {
  const dsn = servers[0]?.dsn ?? '';
  const session = await LiveSession.open(dsn, liveDefaults, new AbortController().signal);
  try {
    return await work(session, (schema) => findTables(session, dsn, schema, () => undefined));
  } finally {
    await session.close();
  }
}

type Told = Omit<SuspiciousThread, 'schema'> | Omit<CensusTotals, 'schema'>;

async function told(schema: string): Promise<readonly Told[]> {
  return inSession(async (session, tablesOf) => {
    const items: Told[] = [];
    for await (const { schema: found, ...item } of census(session, await tablesOf(schema))) {
      expect(found).toBe(schema);
      items.push(item);
    }
    return items.sort((one, other) => (JSON.stringify(one) < JSON.stringify(other) ? -1 : 1));
  });
}

test('both servers together tell what one server with all rows tells', async () => {
  const whole = await told('whole');
  expect(whole).toContainEqual(expect.objectContaining({ kind: 'totals', threads: 20 + 10 + 84 }));
  expect(whole.length).toBe(2 + 10 + 33 + 1);
  expect(await told('parts')).toEqual(whole);
});

test('both servers hold threads, and each groups its own: what is sent to them are the groupings', async () => {
  for (const { dsn } of servers) {
    const { rows } = await withClient(dsn, (client) =>
      client.query<{ threads: number }>(
        'SELECT count(DISTINCT thread_id)::int AS threads FROM shard.checkpoints',
      ),
    );
    expect(rows[0]?.threads).toBeGreaterThan(0);
  }
  const remote = await inSession(async (session, tablesOf) => {
    for (const [name, value] of sessionSettings) await session.query(`SET LOCAL ${name} = ${value}`, null);
    const [schema] = censusSchemas(await tablesOf('parts'));
    if (schema === undefined) throw new Error('the schema has tables');
    const [row] = await session.query(`EXPLAIN (VERBOSE, FORMAT JSON) ${censusSql(schema)}`, null);
    return remoteStatements(row?.['QUERY PLAN']);
  });
  // Lineage, writes and blobs, of two partitions each; and nothing else goes to a server.
  expect(remote).toHaveLength(6);
  for (const sql of remote) expect(sql).toMatch(/ GROUP BY 1/);
  expect(remote.filter((sql) => sql.includes('hashtextextended'))).toHaveLength(2);
  expect(remote.filter((sql) => sql.includes(' LEFT JOIN '))).toHaveLength(2);
});

/** Every `Remote SQL` of a plan. */
function remoteStatements(plan: unknown): readonly string[] {
  const found: string[] = [];
  const open: unknown[] = [plan];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    if (typeof node !== 'object' || node === null) continue;
    for (const [key, value] of Object.entries(node as Record<string, unknown>)) {
      if (key === 'Remote SQL' && typeof value === 'string') found.push(value);
      else open.push(value);
    }
  }
  return found;
}
