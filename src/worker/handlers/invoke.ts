/**
 * The handler shape "invoke": no stream at all; the client waits for one answer. A client that leaves, or whose own
 * timeout fires, is not noticed by anyone.
 */
import type { Json } from '#analysis/model/checkpoint.ts';
import { configOf, inputOf } from './graph-stream.ts';
import type { Handler } from './handler.ts';
import { openEvents, sendEvent } from '../event-stream.ts';
import { reasonOf } from './serve-events.ts';

/** See the file's head. The one answer is sent as an event, so that clients read all shapes alike. */
export const answerWithInvoke: Handler = async ({ request, fence, response, graph, runs, worker, slot }) => {
  openEvents(response);
  sendEvent(response, { event: 'accepted', worker, slot });
  try {
    const state = (await graph.invoke(inputOf(request), configOf({ request, fence }))) as Json;
    runs.consumerEnded(request.run, { outcome: 'completed', returned: state, error: null });
    sendEvent(response, { event: 'result', run: request.run, state });
  } catch (error) {
    const reason = reasonOf(error);
    runs.consumerEnded(request.run, { outcome: 'errored', returned: null, error: reason });
    sendEvent(response, { event: 'failed', run: request.run, error: reason });
  } finally {
    response.end();
  }
};
