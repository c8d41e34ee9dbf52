/**
 * A service under test: `POST /orders` answers 202 and works in the background. It keeps a ledger with heartbeats, may be
 * ended at any moment, and on SIGTERM does what it was configured to. It ends when its primary does and leaves the
 * terminal's Ctrl-C to it.
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { invariant } from '#analysis/model/bug.ts';
import { openPool } from '#src/postgres/open-pool.ts';
import { monotonicMs } from '#src/protocol/monotonic.ts';
import { EffectLog } from '#src/worker/effect-log.ts';
import { nodeActions } from '#src/worker/node-actions.ts';
import { RunRegistry } from '#src/worker/run-registry.ts';
import { ObservedSaver } from './observed-saver.ts';
import { buildOrderGraph } from './order-graph.ts';
import { OrderRuns } from './order-runs.ts';
import { reap } from './reaper.ts';
import { RunLedger } from './run-ledger.ts';
import {
  orderSchema,
  vanishCommandSchema,
  type VanishCommand,
  type VanishMessage,
} from './vanish-protocol.ts';
import { errorText } from '../../failure/error-text.ts';

type Configuration = Extract<VanishCommand, { do: 'configure' }>;

const saverConnections = 8;
const ledgerConnections = 4;

let reapAll: ((command: Extract<VanishCommand, { do: 'reap' }>) => Promise<void>) | null = null;

process.on('SIGINT', () => undefined);
process.on('disconnect', () => {
  process.exit(0);
});
process.on('message', (raw: unknown) => {
  const command = vanishCommandSchema.parse(raw);
  if (command.do === 'configure') configure(command).catch(broken);
  else {
    invariant(reapAll !== null, 'the primary configures first');
    reapAll(command).catch(broken);
  }
});
tell({ say: 'waiting' });

async function configure(config: Configuration): Promise<void> {
  const worker = String(process.pid);
  const registry = new RunRegistry(worker);
  const saverPool = openPool({
    connectionString: config.saverDsn,
    max: saverConnections,
    idleTimeoutMillis: 0,
  });
  // A pool of its own: a heartbeat that waits for the saver's connections would let leases end under load.
  const ledgerPool = openPool({ connectionString: config.dsn, max: ledgerConnections, idleTimeoutMillis: 0 });
  const ledger = new RunLedger(ledgerPool, config.schema, worker, config.leaseMs);
  const log = new EffectLog({ worker, file: config.effectsFile, dsn: config.dsn, schema: config.schema });
  const actions = nodeActions({
    ...{ log, runs: registry, scale: config.scale, provider: null },
    businessKey: { nodes: ['charge'], per: 'request' },
    onBroken: broken,
  });
  const saver = new ObservedSaver(saverPool, config.saverSchema, registry, (token) => {
    const run = token.slice(0, token.lastIndexOf('/'));
    tell({ say: 'stored', run, atMs: monotonicMs() });
    runs.stored(run);
  });
  const graph = buildOrderGraph(actions, saver, config.answer !== 'at-once');
  const runs = new OrderRuns({
    ...{ graph, ledger, durability: config.durability, answer: config.answer, onBroken: broken },
    onOver: (run, atMs) => {
      tell({ say: 'over', run, atMs });
    },
  });
  reapAll = async ({ limits }) => {
    await reap(ledger, graph, runs, limits);
    await log.drain();
    tell({ say: 'reaped' });
  };
  let isBeating = false;
  setInterval(() => {
    if (isBeating) return;
    isBeating = true;
    ledger
      .beat()
      .catch(broken)
      .finally(() => (isBeating = false));
  }, config.heartbeatMs);
  await Promise.all([warmed(saverPool, saverConnections), warmed(ledgerPool, ledgerConnections)]);
  const server = createServer((request, response) => {
    serve(runs, request, response).catch(broken);
  });
  await new Promise<void>((resolve) => server.listen({ host: '127.0.0.1', port: 0 }, resolve));
  process.on('SIGTERM', () => {
    endInOrder(server, config.onSigterm === 'drain' ? runs : null).catch(broken);
  });
  tell({ say: 'ready', port: (server.address() as AddressInfo).port });
}

/** Opens all connections of a pool, as those of a service that has served for a while are. */
async function warmed(pool: ReturnType<typeof openPool>, connections: number): Promise<void> {
  const clients = await Promise.all(Array.from({ length: connections }, () => pool.connect()));
  for (const client of clients) client.release();
}

async function serve(runs: OrderRuns, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const order = orderSchema.parse(await json(request));
  const isAccepted = await runs.take(order);
  response.writeHead(isAccepted ? 202 : 503, { 'content-type': 'application/json' });
  response.end(JSON.stringify({ run: order.run }));
  if (isAccepted) tell({ say: 'answered', run: order.run, atMs: monotonicMs() });
}

/** What most services do on SIGTERM: take nothing new, answer what is open, exit. `runs`: wait for their first rows too. */
async function endInOrder(server: Server, runs: OrderRuns | null): Promise<void> {
  await new Promise<void>((resolve) => {
    server.close(() => {
      resolve();
    });
    server.closeIdleConnections();
  });
  await runs?.firstRows();
  process.exit(0);
}

function tell(message: VanishMessage): void {
  process.send?.(message);
}

function broken(error: unknown): void {
  tell({ say: 'broken', because: errorText(error) });
}
