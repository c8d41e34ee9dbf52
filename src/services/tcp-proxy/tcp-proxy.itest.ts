import { once } from 'node:events';
import { createConnection, createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { monotonicMs } from '#src/protocol/monotonic.ts';
import { startTcpProxy, type TcpProxy } from './tcp-proxy.ts';

let echo: Server;
let proxy: TcpProxy;
const served: Socket[] = [];
const clients: Socket[] = [];

beforeEach(async () => {
  echo = createServer((socket) => {
    served.push(socket);
    socket.on('error', () => undefined);
    socket.pipe(socket);
  });
  echo.listen({ host: '127.0.0.1', port: 0 });
  await once(echo, 'listening');
  proxy = await startTcpProxy({ target: addressOf(echo) });
});

afterEach(async () => {
  await proxy.close();
  for (const socket of [...clients.splice(0), ...served.splice(0)]) socket.destroy();
  echo.close();
  if (echo.listening) await once(echo, 'close');
});

test('what a client sends comes back through the proxy, however it was cut into chunks', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.uint8Array({ minLength: 1, maxLength: 5_000 }), { minLength: 1, maxLength: 8 }),
      async (chunks) => {
        const client = await connect();
        const received = readToEnd(client);
        for (const chunk of chunks) client.write(chunk);
        client.end();
        expect(Buffer.compare(await received, Buffer.concat(chunks))).toBe(0);
      },
    ),
    { numRuns: 25 },
  );
});

test('a delay holds bytes back so long, in order, and the end of the stream behind them', async () => {
  proxy.delayMs('to-target', 60);
  const client = await connect();
  const received = readToEnd(client);
  const began = monotonicMs();
  client.write('one ');
  client.write('two ');
  client.end('three');
  expect((await received).toString()).toBe('one two three');
  expect(monotonicMs() - began).toBeGreaterThanOrEqual(60);
});

test('a smaller delay lets bytes go that already wait', async () => {
  proxy.delayMs('to-client', 3_600_000);
  const client = await connect();
  client.write('waiting');
  await until(() => proxy.heldBytes === 7);
  proxy.delayMs('to-client', 0);
  const [bytes] = (await once(client, 'data')) as [Buffer];
  expect(bytes.toString()).toBe('waiting');
});

test('a pause holds every byte one way and resuming lets all go in order', async () => {
  const client = await connect();
  proxy.pause('to-target');
  client.write('a');
  client.write('b');
  await until(() => proxy.heldBytes === 2);
  expect(served[0]?.bytesRead ?? 0).toBe(0);
  proxy.resume('to-target');
  client.end('c');
  expect((await readToEnd(client)).toString()).toBe('abc');
});

test('while bytes are held the sender is not read for ever: its own writes come to a stop, and nothing is lost', async () => {
  const client = await connect();
  proxy.pause('to-target');
  const block = Buffer.alloc(64 * 1024, 'x');
  let sent = 0;
  while (client.writableLength < 4 * block.length) {
    client.write(block);
    sent += block.length;
    await new Promise((resolve) => setImmediate(resolve));
  }
  // One chunk may pass the mark before the socket is paused.
  expect(proxy.heldBytes).toBeLessThan(1024 * 1024 + 2 * block.length);
  const received = readToEnd(client);
  proxy.resume();
  client.end();
  expect((await received).length).toBe(sent);
});

test('cutting resets both sides at once and counts the connections', async () => {
  const all = await Promise.all([connect(), connect()]);
  await until(() => served.length === 2);
  const ends = [...all, ...served].map(failureOf);
  expect(proxy.connections).toBe(2);
  expect(proxy.cutAll()).toBe(2);
  expect(await Promise.all(ends)).toEqual(Array.from({ length: 4 }, () => 'ECONNRESET'));
  await until(() => proxy.connections === 0);
});

test('a cut on its way to the target drops the bytes; on its way back the target has had them', async () => {
  const before = await connect();
  const lost = failureOf(before);
  const cut = proxy.cutNext('to-target', (bytes) => bytes.includes('INSERT'));
  before.write('SELECT');
  await once(before, 'data');
  before.write('INSERT');
  await cut;
  expect(await lost).toBe('ECONNRESET');
  expect(served[0]?.bytesRead).toBe('SELECT'.length);

  const after = await connect();
  const answerLost = failureOf(after);
  const cutBack = proxy.cutNext('to-client');
  after.write('INSERT');
  await cutBack;
  expect(await answerLost).toBe('ECONNRESET');
  expect(served[1]?.bytesRead).toBe('INSERT'.length);
});

test('a cut of the next connection happens once, and the target never hears of it', async () => {
  const cut = proxy.cutNext('connection');
  const refused = createConnection(proxy.port, proxy.host);
  expect(await failureOf(refused)).toBe('ECONNRESET');
  await cut;
  expect(served).toHaveLength(0);
  const client = await connect();
  client.end('again');
  expect((await readToEnd(client)).toString()).toBe('again');
});

test('a reset by either side reaches the other as a reset', async () => {
  const client = await connect();
  client.write('x');
  await once(client, 'data');
  const byTarget = failureOf(client);
  served[0]?.resetAndDestroy();
  expect(await byTarget).toBe('ECONNRESET');

  const second = await connect();
  second.write('x');
  await once(second, 'data');
  const byClient = failureOf(served[1] ?? second);
  second.resetAndDestroy();
  expect(await byClient).toBe('ECONNRESET');
  await until(() => proxy.connections === 0);
});

test('a client whose target refuses is reset', async () => {
  const gone = await startTcpProxy({ target: addressOf(echo) });
  echo.close();
  await once(echo, 'close');
  const client = createConnection(gone.port, gone.host);
  expect(await failureOf(client)).toBe('ECONNRESET');
  await gone.close();
});

test('a target may be a socket file, as a local Postgres is', async () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'forkscope-proxy-'));
  const file = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.pipe(socket);
  });
  file.listen(path.join(folder, 's'));
  await once(file, 'listening');
  const through = await startTcpProxy({ target: { path: path.join(folder, 's') } });
  try {
    const client = createConnection(through.port, through.host);
    client.write('file');
    const [bytes] = (await once(client, 'data')) as [Buffer];
    expect(bytes.toString()).toBe('file');
    const cut = failureOf(client);
    through.cutAll();
    expect(await cut).toBe('ECONNRESET');
  } finally {
    await through.close();
    file.close();
    await once(file, 'close');
    rmSync(folder, { recursive: true });
  }
});

test('closing resets what is open and frees the port', async () => {
  const client = await connect();
  const end = failureOf(client);
  await proxy.close();
  expect(await end).toBe('ECONNRESET');
  expect(await failureOf(createConnection(proxy.port, proxy.host))).toBe('ECONNREFUSED');
});

function addressOf(server: Server): { host: string; port: number } {
  return { host: '127.0.0.1', port: (server.address() as AddressInfo).port };
}

async function connect(): Promise<Socket> {
  const client = createConnection(proxy.port, proxy.host);
  clients.push(client);
  await once(client, 'connect');
  return client;
}

async function readToEnd(socket: Socket): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of socket as AsyncIterable<Buffer>) chunks.push(chunk);
  return Buffer.concat(chunks);
}

async function failureOf(socket: Socket): Promise<string> {
  return new Promise((resolve) => {
    socket.once('error', (error: NodeJS.ErrnoException) => {
      resolve(error.code ?? 'unknown');
    });
    socket.once('end', () => {
      resolve('end');
    });
    socket.resume();
  });
}

async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise((resolve) => setTimeout(resolve, 2));
}
