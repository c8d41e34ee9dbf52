/**
 * The handler shape "detached": a background promise runs the graph and fills a queue, and the request's handler is
 * only its first listener. Easy to get wrong: a queue without a bound grows for a client that has left, and one that
 * blocks when it is full stops the run; this one drops the oldest chunks and never the outcome.
 */
import { sendEvent, openEvents } from '../event-stream.ts';
import { stateAfter, graphStream } from './graph-stream.ts';
import type { Json } from '#analysis/model/checkpoint.ts';
import type { RunEvent } from '../../protocol/run-request.ts';
import type { Handler, RunContext } from './handler.ts';
import { onClientGone, reasonOf } from './serve-events.ts';
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
  const { request, runs } = context;
  let state: Json = null;
  try {
    for await (const [mode, chunk] of await graphStream(context, null, 'state')) {
      if (mode === 'values') state = stateAfter(state, chunk);
      else queue.push({ event: 'chunk', update: chunk });
    }
    runs.consumerEnded(request.run, { outcome: 'completed', returned: state, error: null });
    queue.end({ event: 'result', run: request.run, state });
  } catch (error) {
    const reason = reasonOf(error);
    runs.consumerEnded(request.run, { outcome: 'errored', returned: null, error: reason });
    queue.end({ event: 'failed', run: request.run, error: reason });
  }
}
