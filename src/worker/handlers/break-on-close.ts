/**
 * The handler shape "break when the connection was closed": a flag is looked at between chunks. Easy to get wrong: the
 * flag is only seen when the next chunk comes, so the node that runs meanwhile is finished and committed.
 */
import { graphStream } from './graph-stream.ts';
import type { Handler } from './handler.ts';
import { clientLeft, completed, onClientGone, serveEvents } from './serve-events.ts';

/** See the file's head. */
export const streamUntilClosed: Handler = (context) =>
  serveEvents(context, async (chunks) => {
    const connection = { isClosed: false };
    onClientGone(context.response, () => (connection.isClosed = true));
    for await (const part of await graphStream(context, null, 'updates')) {
      if (connection.isClosed) {
        context.runs.cancelled(context.request.run);
        // Leaving the loop returns the stream's iterator, which cancels the run.
        return clientLeft;
      }
      chunks.take(part);
    }
    return completed;
  });
