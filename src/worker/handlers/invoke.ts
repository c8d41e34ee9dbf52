/**
 * The handler shape "invoke": no stream at all; the client waits for one answer. A client that leaves, or whose own
 * timeout fires, is not noticed by anyone.
 */
import type { Json } from '#analysis/model/checkpoint.ts';
import { configOf, inputOf } from './graph-stream.ts';
import type { Handler } from './handler.ts';
import { serveEvents } from './serve-events.ts';

/** See the file's head. The one answer is sent as an event, so that clients read all shapes alike. */
export const answerWithInvoke: Handler = (context) =>
  serveEvents(context, async () => {
    const state = (await context.graph.invoke(inputOf(context.request), configOf(context))) as Json;
    return { outcome: 'completed', state };
  });
