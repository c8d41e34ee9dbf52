/**
 * The handler shape "web ReadableStream with cancel": a fetch-style handler returns a stream whose `cancel` returns the
 * generator behind it, and the server's adaptor reads that stream and cancels it when the connection closes. Easy to get
 * wrong: cancelling is asked for at once, and the generator takes note of it when the graph's next chunk has come.
 */
import { graphStream, type GraphChunk } from './graph-stream.ts';
import type { Handler, RunContext } from './handler.ts';
import { readWithReader } from './read-with-reader.ts';
import { serveEvents } from './serve-events.ts';

/** See the file's head. */
export const streamAsWebStream: Handler = (context) =>
  serveEvents(context, (chunks) => readWithReader(context, chunks, bodyOf(context)));

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
