/** The requests that the built-in scenarios are made of. */
import type { Json } from '#analysis/model/checkpoint.ts';
import type { CheckpointChoice, RequestPlan } from '../scenario.ts';

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

/** A client that goes on with what the thread has left to do, and reads to the end. */
export function resume(name: string): RequestPlan {
  return { name, input: null, disconnectAfterChunk: null, offsetMs: 0 };
}

/** A client that answers the interrupt that the thread waits at, and reads to the end. */
export function answer(name: string, value: Json): RequestPlan {
  return { ...resume(name), resume: { value } };
}

/** The same request at a checkpoint that it names. */
export function at(choice: CheckpointChoice, plan: RequestPlan): RequestPlan {
  return { ...plan, from: choice };
}
