/**
 * The handler shape "policy": a constant says what becomes of a run whose client has left, and the teardown obeys it.
 * `abandon` aborts, `complete` reads on for nobody. Easy to get wrong: a policy that only the happy path knows.
 */
import type { Handler } from './handler.ts';
import { readAbortable } from './read-abortable.ts';
import { serveEvents } from './serve-events.ts';

/** What becomes of a run whose client has left. */
export type LeavePolicy = 'abandon' | 'complete';

/** A handler that obeys `policy`. */
export function streamWithPolicy(policy: LeavePolicy): Handler {
  return (context) => serveEvents(context, (chunks) => readAbortable(context, chunks, policy === 'abandon'));
}
