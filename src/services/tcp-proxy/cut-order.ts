/**
 * When is a connection to be cut? An order waits for its moment: the next connection, the next bytes of a client, or
 * the next bytes of the target. Easy to get wrong: cutting on a response leaves the target with a request that it has
 * answered, cutting on a request leaves it without; which of the two a client lived through it cannot tell.
 */

/**
 * The moment of a cut. `connection`: the next one is reset as it comes, before the target hears of it. `to-target`:
 * the next bytes of a client are dropped and their connection is reset. `to-client`: the same with bytes of the
 * target, which has then done what was asked.
 */
export type CutMoment = 'connection' | 'to-target' | 'to-client';

/** Which bytes are meant; one call holds one chunk as the socket delivered it, not one message of a protocol. */
export type BytesMatch = (bytes: Buffer) => boolean;

interface Order {
  readonly moment: CutMoment;
  readonly matches: BytesMatch;
  readonly done: () => void;
}

/** Orders that wait for their moment, oldest first. Each is carried out once. */
export class CutOrders {
  readonly #orders: Order[] = [];

  /** Resolves when the order has been carried out; it may never be. */
  add(moment: CutMoment, matches: BytesMatch): Promise<void> {
    return new Promise((resolve) => {
      this.#orders.push({ moment, matches, done: resolve });
    });
  }

  /** Takes the first order that this moment carries out, if any, and says whether there was one. */
  take(moment: CutMoment, bytes: Buffer): boolean {
    const at = this.#orders.findIndex((order) => order.moment === moment && order.matches(bytes));
    if (at === -1) return false;
    const [order] = this.#orders.splice(at, 1);
    order?.done();
    return true;
  }
}
