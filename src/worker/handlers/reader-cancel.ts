/**
 * The handler shape "reader.cancel()": the graph's own stream is a web stream, so its reader can be cancelled when the
 * connection closes, without an AbortSignal.
 */
import { graphStream } from './graph-stream.ts';
import type { Handler } from './handler.ts';
import { clientLeft, completed, onClientGone, serveEvents } from './serve-events.ts';

/** See the file's head. */
export const streamWithReaderCancel: Handler = (context) =>
  serveEvents(context, async (sent) => {
    const connection = { isClosed: false };
    const reader = (await graphStream(context, null, 'updates')).getReader();
    onClientGone(context.response, () => {
      connection.isClosed = true;
      context.runs.cancelled(context.request.run);
      reader.cancel().catch(() => undefined);
    });
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return connection.isClosed ? clientLeft : completed;
      sent.send(value);
    }
  });
