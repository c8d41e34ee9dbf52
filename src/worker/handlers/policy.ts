/**
 * The handler shape "policy": a constant says what becomes of a run whose client has left, and the teardown obeys it.
 * `abandon` aborts, `complete` reads on for nobody. Easy to get wrong: a policy that only the happy path knows.
 */
import { graphStream } from './graph-stream.ts';
import type { Handler } from './handler.ts';
import { completed, onClientGone, reasonOf, serveEvents } from './serve-events.ts';

/** What becomes of a run whose client has left. */
export type LeavePolicy = 'abandon' | 'complete';

/** A handler that obeys `policy`. */
export function streamWithPolicy(policy: LeavePolicy): Handler {
  return (context) =>
    serveEvents(context, async (sent) => {
      const abort = new AbortController();
      onClientGone(context.response, () => {
        if (policy === 'complete') return;
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
}
