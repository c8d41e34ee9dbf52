/** Reads a run's stream through a web stream's reader, which is cancelled when the client leaves. */
import type { GraphChunk } from './graph-stream.ts';
import type { RunContext } from './handler.ts';
import { clientLeft, completed, onClientGone, type ConsumerEnd, type ToldChunks } from './serve-events.ts';

/** Reads until the stream ends, by itself or because it was cancelled. */
export async function readWithReader(
  { request, response, runs }: RunContext,
  chunks: ToldChunks,
  stream: ReadableStream<GraphChunk>,
): Promise<ConsumerEnd> {
  const connection = { isClosed: false };
  const reader = stream.getReader();
  onClientGone(response, () => {
    connection.isClosed = true;
    runs.cancelled(request.run);
    // What goes wrong with a cancelled stream has nobody to be told to.
    reader.cancel().catch(() => undefined);
  });
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return connection.isClosed ? clientLeft : completed;
    chunks.take(value);
  }
}
