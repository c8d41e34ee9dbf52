/**
 * The handler shape "AbortSignal on close": the request's handler iterates the graph's stream and writes each update
 * as a server-sent event; when the response closes early, the signal fires. The for-await then throws at once, while
 * the run goes on to store what it has.
 */
import { graphStream } from './graph-stream.ts';
import type { Handler } from './handler.ts';
import { completed, onClientGone, reasonOf, serveEvents } from './serve-events.ts';

/** See the file's head. */
export const streamWithAbortSignal: Handler = (context) =>
  serveEvents(context, async (sent) => {
    const abort = new AbortController();
    onClientGone(context.response, () => {
      context.runs.cancelled(context.request.run);
      abort.abort();
    });
    try {
      for await (const part of await graphStream(context, abort.signal, 'state')) sent.send(part);
      return completed;
    } catch (error) {
      if (!abort.signal.aborted) throw error;
      return { outcome: 'cancelled', because: reasonOf(error) };
    }
  });
