/**
 * The handler shape "stream.pipeline": a generator of events is piped into the response, and Node returns the
 * generator when the response closes. Easy to get wrong: a generator that waits for the graph's next chunk is returned
 * only when that has come.
 */
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { eventText, openEvents } from '../event-stream.ts';
import { graphStream } from './graph-stream.ts';
import type { Handler, RunContext } from './handler.ts';
import { onClientGone, reasonOf } from './serve-events.ts';

/** See the file's head. */
export const streamThroughPipeline: Handler = async (context) => {
  const { request, response, runs } = context;
  const connection = { isClosed: false };
  onClientGone(response, () => {
    connection.isClosed = true;
    runs.cancelled(request.run);
  });
  openEvents(response);
  try {
    await pipeline(Readable.from(events(context)), response);
  } catch (error) {
    const outcome = connection.isClosed ? 'cancelled' : 'errored';
    runs.consumerEnded(request.run, { outcome, returned: null, error: reasonOf(error) });
  }
};

async function* events(context: RunContext): AsyncGenerator<string> {
  const { request, runs, worker, slot } = context;
  yield eventText({ event: 'accepted', worker, slot });
  try {
    for await (const [, update] of await graphStream(context, null, 'updates')) {
      yield eventText({ event: 'chunk', update });
    }
  } catch (error) {
    // The head has been sent long ago, so a failure is an event like any other.
    const reason = reasonOf(error);
    runs.consumerEnded(request.run, { outcome: 'errored', returned: null, error: reason });
    yield eventText({ event: 'failed', run: request.run, error: reason });
    return;
  }
  runs.consumerEnded(request.run, { outcome: 'completed', returned: null, error: null });
  yield eventText({ event: 'result', run: request.run, state: null });
}
