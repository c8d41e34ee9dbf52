/**
 * The handler shape "web ReadableStream with cancel": a fetch-style handler returns a stream whose `cancel` returns the
 * generator behind it, and the server's adaptor reads that stream and cancels it when the connection closes. Easy to get
 * wrong: cancelling is asked for at once, and the generator takes note of it when the graph's next chunk has come.
 */
import { graphStream, type GraphChunk } from './graph-stream.ts';
import type { Handler, RunContext } from './handler.ts';
import { clientLeft, completed, onClientGone, serveEvents } from './serve-events.ts';

/** See the file's head. */
export const streamAsWebStream: Handler = (context) =>
  serveEvents(context, async (sent) => {
    const connection = { isClosed: false };
    const reader = bodyOf(context).getReader();
    onClientGone(context.response, () => {
      connection.isClosed = true;
      context.runs.cancelled(context.request.run);
      // What goes wrong with a cancelled stream has nobody to be told to.
      reader.cancel().catch(() => undefined);
    });
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return connection.isClosed ? clientLeft : completed;
      sent.send(value);
    }
  });

function bodyOf(context: RunContext): ReadableStream<GraphChunk> {
  const parts = partsOf(context);
  return new ReadableStream<GraphChunk>({
    async pull(controller) {
      const { done, value } = await parts.next();
      if (done === true) controller.close();
      else controller.enqueue(value);
    },
    async cancel() {
      await parts.return(undefined);
    },
  });
}

async function* partsOf(context: RunContext): AsyncGenerator<GraphChunk, undefined> {
  for await (const part of await graphStream(context, null, 'updates')) yield part;
}
