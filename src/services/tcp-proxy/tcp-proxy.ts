/**
 * What happens when the network between two processes is slow, stands still or breaks? A TCP proxy in this process
 * that carries bytes between a client and a target it does not understand, and delays, holds or cuts them on command.
 * Easy to get wrong: a fault must be one of sockets, not of the code under test, which sees only what a network does.
 */
import { createServer, type AddressInfo } from 'node:net';
import { OperatorError } from '#src/failure/operator-error.ts';
import { codeOf } from '#src/postgres/sqlstate.ts';
import { CutOrders, type BytesMatch, type CutMoment } from './cut-order.ts';
import type { LaneHold } from './lane.ts';
import { ProxiedConnection, type Direction, type ProxyTarget } from './proxied-connection.ts';

/** A proxy that listens. Every setting concerns all its connections, those to come as well. */
export interface TcpProxy {
  /** Always `127.0.0.1`. */
  readonly host: string;
  readonly port: number;
  /** Connections of clients that are open now. */
  readonly connections: number;
  /** Bytes that came and have not gone on. */
  readonly heldBytes: number;
  /**
   * From now on every chunk goes out `ms` after it came, in order; those that wait already too, so a smaller delay
   * lets them go sooner. 0 ends it.
   */
  delayMs(direction: Direction, ms: number): void;
  /** Holds all bytes and ends of streams that way, or both ways. Connections are still accepted. */
  pause(direction?: Direction): void;
  /** Ends a pause that way, or both. */
  resume(direction?: Direction): void;
  /** Resets all connections (RST on both sides); returns how many there were. What is held is dropped. */
  cutAll(): number;
  /**
   * Orders one cut at the next moment of that kind; resolves when it has been made, which may be never.
   *
   * @param matches chooses among chunks of bytes; all when left out. Not asked for a `connection`.
   */
  cutNext(moment: CutMoment, matches?: BytesMatch): Promise<void>;
  /** Resets what is open and stops listening; resolves when every socket is gone. */
  close(): Promise<void>;
}

const host = '127.0.0.1';
const noBytes = Buffer.alloc(0);

/**
 * Listens on a port of its own on loopback.
 *
 * @param options.target where connections lead; it is first asked when a client comes, and a client is reset when it refuses
 * @throws OperatorError when it cannot listen
 */
export async function startTcpProxy(options: { readonly target: ProxyTarget }): Promise<TcpProxy> {
  const open = new Set<ProxiedConnection>();
  const orders = new CutOrders();
  const holds: Record<Direction, { delayMs: number; isPaused: boolean }> = {
    'to-target': { delayMs: 0, isPaused: false },
    'to-client': { delayMs: 0, isPaused: false },
  };
  const server = createServer({ allowHalfOpen: true }, (client) => {
    if (orders.take('connection', noBytes)) {
      client.on('error', () => undefined);
      client.resetAndDestroy();
      return;
    }
    const connection = new ProxiedConnection(
      client,
      options.target,
      (direction): LaneHold => holds[direction],
      orders,
    );
    open.add(connection);
    void connection.closed.then(() => open.delete(connection));
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error) => {
      reject(
        new OperatorError({
          happened: `a proxy cannot listen [${codeOf(error) ?? 'unknown'}]`,
          place: host,
          remedy: 'Check the limits on open files and ports (ulimit -n).',
          cause: error,
        }),
      );
    });
    server.listen({ host, port: 0, exclusive: true }, resolve);
  });
  const { port } = server.address() as AddressInfo;
  const pumpAll = () => {
    for (const connection of open) connection.pump();
  };
  const setPaused = (direction: Direction | undefined, isPaused: boolean) => {
    for (const way of direction === undefined ? directions : [direction]) holds[way].isPaused = isPaused;
    pumpAll();
  };
  const cutAll = () => {
    const count = open.size;
    for (const connection of open) connection.reset();
    return count;
  };
  return {
    host,
    port,
    get connections() {
      return open.size;
    },
    get heldBytes() {
      return [...open].reduce((sum, connection) => sum + connection.heldBytes, 0);
    },
    delayMs: (direction, ms) => {
      holds[direction].delayMs = ms;
      pumpAll();
    },
    pause: (direction) => {
      setPaused(direction, true);
    },
    resume: (direction) => {
      setPaused(direction, false);
    },
    cutAll,
    cutNext: (moment, matches = () => true) => orders.add(moment, matches),
    close: async () => {
      const stopped = new Promise<void>((resolve) => {
        server.close(() => {
          resolve();
        });
      });
      cutAll();
      await stopped;
      await Promise.all([...open].map(({ closed }) => closed));
    },
  };
}

const directions: readonly Direction[] = ['to-target', 'to-client'];
