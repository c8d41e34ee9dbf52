/** The requests that the built-in scenarios are made of. */
import type { RequestPlan } from '../scenario.ts';

/** New input that adds nothing: it writes both channels of the booking graph, as input does, and leaves them as they are. */
const emptyInput = { steps: [], receipts: [] };

/** A client that posts new input and reads its stream to the end. */
export function post(name: string): RequestPlan {
  return { name, input: emptyInput, disconnectAfterChunk: null, offsetMs: 0 };
}

/** A client that posts new input and closes its socket after `chunk` chunks. */
export function postAndLeave(name: string, chunk: number): RequestPlan {
  return { name, input: emptyInput, disconnectAfterChunk: chunk, offsetMs: 0 };
}
