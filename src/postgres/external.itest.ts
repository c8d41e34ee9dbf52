import { createServer, type AddressInfo } from 'node:net';
import { inspect } from 'node:util';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { OperatorError } from '#src/failure/operator-error.ts';
import type { DatabaseServer } from './database-server.ts';
import { startEmbeddedServer } from './embedded-server.ts';
import { connectExternal } from './external.ts';
import { openSandbox, type Sandbox } from './testing/leftovers.ts';
import { startWatchdog, type Watchdog } from './watchdog.ts';

let sandbox: Sandbox;
let watchdog: Watchdog;
let server: DatabaseServer;
let place: string;

beforeAll(async () => {
  sandbox = await openSandbox();
  watchdog = startWatchdog();
  server = await startEmbeddedServer({ watchdog });
  place = new URL(server.dsn).host;
  const client = new pg.Client({ connectionString: server.dsn });
  await client.connect();
  await client.query(`CREATE ROLE guest LOGIN PASSWORD 'gu3st-w0rd'`);
  await client.query(`CREATE ROLE reader LOGIN PASSWORD 'gu3st-w0rd'`);
  await client.query('ALTER ROLE reader SET default_transaction_read_only = on');
  await client.query(`CREATE ROLE outsider NOLOGIN PASSWORD 'gu3st-w0rd'`);
  await client.end();
});

afterAll(async () => {
  await server.stop();
  await watchdog.close();
  expect(await sandbox.left(0)).toEqual([]);
  await sandbox.close();
});

test('somebody else’s server is taken as it is, and stopping it does nothing', async () => {
  const external = await connectExternal(server.dsn);
  expect(external).toMatchObject({
    kind: 'external',
    dsn: server.dsn,
    serverVersion: '15.18',
    maxConnections: 200,
    processIds: [],
  });
  await external.stop();
  expect(await connectExternal(server.dsn)).toMatchObject({ serverVersion: '15.18' });
});

test('a connection string in key=value form is understood', async () => {
  const { hostname, port, username, password } = new URL(server.dsn);
  const text = `host=${hostname} port=${port} user=${username} password='${password}' dbname=postgres`;
  expect(await connectExternal(text)).toMatchObject({ dsn: server.dsn });
});

/** Each refusal: how to ask, what the error must say, and at which place. */
const refusals: readonly (readonly [string, () => string, RegExp])[] = [
  [
    'nothing listens',
    () => 'postgres://ann:gu3st-w0rd@127.0.0.1:1/shop',
    /nothing listens there \(127\.0\.0\.1:1, database shop\)\. Expected a Postgres server\. Start/,
  ],
  [
    'nothing listens at any address of a name',
    () => 'postgres://ann:gu3st-w0rd@localhost:1/shop',
    /nothing listens there \(localhost:1, database shop\)/,
  ],
  [
    'a host has no address',
    () => 'postgres://ann:gu3st-w0rd@host.invalid/shop',
    /the host name has no address \(host\.invalid:5432, database shop\)/,
  ],
  [
    'a socket is missing',
    () => 'postgres://ann:gu3st-w0rd@/shop?host=/nowhere',
    /nothing listens there \(\/nowhere:5432/,
  ],
  [
    'a password is wrong',
    () => `postgres://guest:wr0ng-w0rd@${place}/postgres`,
    /the password was refused for user guest \(127\.0\.0\.1:\d+, database postgres\)\. Correct/,
  ],
  [
    'a password is missing',
    () => `postgres://guest@${place}/postgres`,
    /asks for a password of user guest and none was given/,
  ],
  [
    'a role may not log in',
    () => `postgres://outsider:gu3st-w0rd@${place}/postgres`,
    /user outsider may not connect/,
  ],
  [
    'a database does not exist',
    () => server.dsn.replace('/postgres', '/no_such'),
    /there is no database no_such .* Create it/,
  ],
  [
    'a role may not create schemas',
    () => `postgres://guest:gu3st-w0rd@${place}/postgres`,
    /user guest lacks a privilege .* GRANT CREATE ON DATABASE "postgres" TO "guest"/,
  ],
  [
    'a server is read-only',
    () => `postgres://reader:gu3st-w0rd@${place}/postgres`,
    /the server is read-only/,
  ],
  [
    'a password was not encoded',
    () => 'postgres://ann:gu3st/w0rd@127.0.0.1/shop',
    /no connection string \(\(unreadable/,
  ],
];

test.each(refusals)(
  'when %s, the error says so, where, and what to do, and never shows the password',
  async (_, dsn, text) => {
    const failure = await connectExternal(dsn()).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(OperatorError);
    expect((failure as OperatorError).message).toMatch(text);
    const everything = inspect(failure, { depth: 10, showHidden: true });
    const { password } = new URL(server.dsn);
    for (const secret of ['gu3st', 'w0rd', 'wr0ng', password]) expect(everything).not.toContain(secret);
  },
);

test('a server that accepts a connection and never says a word is given up in time', async () => {
  const mute = createServer(() => undefined);
  await new Promise<void>((resolve) => mute.listen(0, '127.0.0.1', resolve));
  const { port } = mute.address() as AddressInfo;
  try {
    const attempt = connectExternal(`postgres://ann@127.0.0.1:${port}/shop`, { timeoutMs: 200 });
    await expect(attempt).rejects.toThrow(/did not answer in time/);
  } finally {
    mute.close();
  }
});
