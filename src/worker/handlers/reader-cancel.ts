/**
 * The handler shape "reader.cancel()": the graph's own stream is a web stream, so its reader can be cancelled when the
 * connection closes, without an AbortSignal.
 */
import { graphStream } from './graph-stream.ts';
import type { Handler } from './handler.ts';
import { readWithReader } from './read-with-reader.ts';
import { serveEvents } from './serve-events.ts';

/** See the file's head. */
export const streamWithReaderCancel: Handler = (context) =>
  serveEvents(context, async (chunks) =>
    readWithReader(context, chunks, await graphStream(context, null, 'updates')),
  );
