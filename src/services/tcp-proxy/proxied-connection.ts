/**
 * One client's connection through the proxy: two sockets and a lane each way. Easy to get wrong: how a connection ends
 * is part of what is carried. An end goes on as an end, after the bytes before it; a reset, or a target that refuses,
 * goes on as a reset, which drops what is held.
 */
import { createConnection, type Socket } from 'node:net';
import type { CutOrders } from './cut-order.ts';
import { Lane, type LaneHold } from './lane.ts';

/** Which way bytes go. */
export type Direction = 'to-target' | 'to-client';

/** Where a proxy leads: a host and port, or the path of a socket file. */
export type ProxyTarget = { readonly host: string; readonly port: number } | { readonly path: string };

/** See the file's head. `closed` resolves when both sockets are gone. */
export class ProxiedConnection {
  readonly closed: Promise<void>;
  readonly #client: Socket;
  readonly #target: Socket;
  readonly #isFile: boolean;
  readonly #lanes: readonly [Lane, Lane];

  constructor(
    client: Socket,
    target: ProxyTarget,
    hold: (direction: Direction) => LaneHold,
    orders: CutOrders,
  ) {
    this.#client = client;
    this.#isFile = 'path' in target;
    this.#target = createConnection({ ...target, allowHalfOpen: true });
    // Nagle's algorithm would add delays of its own.
    client.setNoDelay(true);
    this.#target.setNoDelay(true);
    const lane = (direction: Direction, from: Socket, to: Socket): Lane =>
      new Lane(
        from,
        to,
        () => hold(direction),
        (bytes) => {
          const isCut = orders.take(direction, bytes);
          if (isCut) this.reset();
          return !isCut;
        },
      );
    this.#lanes = [lane('to-target', client, this.#target), lane('to-client', this.#target, client)];
    this.closed = Promise.all([gone(client), gone(this.#target)]).then(() => undefined);
    for (const socket of [client, this.#target]) {
      socket.on('error', () => {
        this.reset();
      });
      socket.once('close', () => {
        this.#closeWith(socket);
      });
    }
  }

  /** Bytes that wait in the proxy, both ways together. */
  get heldBytes(): number {
    return this.#lanes[0].heldBytes + this.#lanes[1].heldBytes;
  }

  /** The hold has changed. */
  pump(): void {
    for (const lane of this.#lanes) lane.pump();
  }

  /** Resets both sockets; what is held is dropped. */
  reset(): void {
    for (const lane of this.#lanes) lane.close();
    if (!this.#client.destroyed) this.#client.resetAndDestroy();
    // Socket files know no reset; and before it is connected a socket has nothing to reset, but would wait to do so.
    if (this.#isFile || this.#target.connecting) this.#target.destroy();
    else if (!this.#target.destroyed) this.#target.resetAndDestroy();
  }

  /** A socket that closed in good order has had both ends; one that was destroyed here takes the other with it. */
  #closeWith(socket: Socket): void {
    const other = socket === this.#client ? this.#target : this.#client;
    if (!socket.readableEnded || !socket.writableFinished) this.reset();
    else if (other.readableEnded && other.writableFinished) for (const lane of this.#lanes) lane.close();
  }
}

async function gone(socket: Socket): Promise<void> {
  if (socket.closed) return;
  await new Promise<void>((resolve) => {
    socket.once('close', () => {
      resolve();
    });
  });
}
