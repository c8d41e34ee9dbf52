/**
 * The handler shape "detached": a background promise runs the graph and fills a queue, and the request's handler is
 * only its first listener. Easy to get wrong: a queue without a bound grows for a client that has left, and one that
 * blocks when it is full stops the run; this one drops the oldest chunks and never the outcome.
 */
import { sendEvent, openEvents } from '../event-stream.ts';
import type { RunEvent } from '../../protocol/run-request.ts';
import { graphStream } from './graph-stream.ts';
import type { Handler, RunContext } from './handler.ts';
import { completed, consumeRun, onClientGone } from './serve-events.ts';
import { RunQueue } from './run-queue.ts';

/** Chunks that wait for a listener that is slower than the graph. */
const queueLimit = 64;

/** See the file's head. */
export const streamDetached: Handler = async (context) => {
  const { response, worker, slot } = context;
  openEvents(response);
  sendEvent(response, { event: 'accepted', worker, slot });
  const queue = new RunQueue<RunEvent>(queueLimit);
  void runInBackground(context, queue);
  onClientGone(response, () => {
    queue.stopListening();
  });
  for await (const event of queue.events()) sendEvent(response, event);
  response.end();
};

async function runInBackground(context: RunContext, queue: RunQueue<RunEvent>): Promise<void> {
  await consumeRun(
    context,
    async (chunks) => {
      for await (const part of await graphStream(context, null, 'state')) chunks.take(part);
      return completed;
    },
    (event, isLast) => {
      if (isLast) queue.end(event);
      else queue.push(event);
    },
  );
}
