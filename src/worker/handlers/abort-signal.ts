/**
 * The handler shape "AbortSignal on close": the request's handler iterates the graph's stream and writes each update
 * as a server-sent event; when the response closes early, the signal fires. The for-await then throws at once, while
 * the run goes on to store what it has.
 */
import type { Json } from '#analysis/model/checkpoint.ts';
import { openEvents, sendEvent } from '../event-stream.ts';
import { graphStream, stateAfter } from './graph-stream.ts';
import type { Handler } from './handler.ts';

/** See the file's head. */
export const streamWithAbortSignal: Handler = async (context) => {
  const { request, response, runs, worker, slot } = context;
  const abort = new AbortController();
  response.on('close', () => {
    if (response.writableFinished) return;
    runs.cancelled(request.run);
    abort.abort();
  });
  openEvents(response);
  sendEvent(response, { event: 'accepted', worker, slot });
  let last: Json = null;
  try {
    const stream = await graphStream(context, abort.signal);
    for await (const [mode, chunk] of stream) {
      if (mode === 'values') last = stateAfter(last, chunk);
      else sendEvent(response, { event: 'chunk', update: chunk });
    }
    runs.consumerEnded(request.run, { outcome: 'completed', returned: last, error: null });
    sendEvent(response, { event: 'result', run: request.run, state: last });
  } catch (error) {
    const reason = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
    const cancelled = abort.signal.aborted;
    runs.consumerEnded(request.run, {
      outcome: cancelled ? 'cancelled' : 'errored',
      returned: null,
      error: reason,
    });
    if (!cancelled) sendEvent(response, { event: 'failed', run: request.run, error: reason });
  } finally {
    response.end();
  }
};
