/**
 * The handler shape "AbortSignal on close": the request's handler iterates the graph's stream and writes each update
 * as a server-sent event; when the response closes early, the signal fires. The for-await then throws at once, while
 * the run goes on to store what it has.
 */
import type { Handler } from './handler.ts';
import { readAbortable } from './read-abortable.ts';
import { serveEvents } from './serve-events.ts';

/** See the file's head. */
export const streamWithAbortSignal: Handler = (context) =>
  serveEvents(context, (chunks) => readAbortable(context, chunks, true));
