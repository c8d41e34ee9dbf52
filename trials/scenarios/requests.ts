/** The requests that the built-in scenarios are made of. */
import type { RequestPlan } from '../scenario.ts';

/** A client that posts new input and reads its stream to the end. */
export function post(name: string): RequestPlan {
  return { name, input: {}, disconnectAfterChunk: null, offsetMs: 0 };
}

/** A client that posts new input and closes its socket after `chunk` chunks. */
export function postAndLeave(name: string, chunk: number): RequestPlan {
  return { name, input: {}, disconnectAfterChunk: chunk, offsetMs: 0 };
}
