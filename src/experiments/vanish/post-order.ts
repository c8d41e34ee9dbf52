/** A client that posts one order and is told whether it was accepted. Easy to get wrong: no answer is not a refusal. */
import { request } from 'node:http';
import { monotonicMs } from '#src/protocol/monotonic.ts';
import type { Order } from './vanish-protocol.ts';

/** `accepted`: 202. `refused`: another status. `unanswered`: the connection broke first. */
export interface PostedOrder {
  readonly order: Order;
  readonly answer: 'accepted' | 'refused' | 'unanswered';
  /** When the client posted it and when it had the answer, monotonic milliseconds. */
  readonly postedMs: number;
  readonly atMs: number;
}

/** Posts it on a connection of its own; resolves whatever comes. */
export function postOrder(port: number, order: Order): Promise<PostedOrder> {
  const postedMs = monotonicMs();
  return new Promise((resolve) => {
    const tell = (answer: PostedOrder['answer']) => {
      resolve({ order, answer, postedMs, atMs: monotonicMs() });
    };
    const client = request(
      { host: '127.0.0.1', port, path: '/orders', method: 'POST', agent: false },
      (response) => {
        tell(response.statusCode === 202 ? 'accepted' : 'refused');
        response.on('error', () => undefined);
        response.resume();
      },
    );
    client.on('error', () => {
      tell('unanswered');
    });
    client.end(JSON.stringify(order));
  });
}
