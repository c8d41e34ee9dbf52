/**
 * The handler shape "for-await, close not handled": nobody listens for the client's leaving, and writing to a closed
 * response is no error, so the graph runs to its end for nobody.
 */
import { graphStream } from './graph-stream.ts';
import type { Handler } from './handler.ts';
import { completed, serveEvents } from './serve-events.ts';

/** See the file's head. */
export const streamUnguarded: Handler = (context) =>
  serveEvents(context, async (chunks) => {
    for await (const part of await graphStream(context, null, 'updates')) chunks.take(part);
    return completed;
  });
