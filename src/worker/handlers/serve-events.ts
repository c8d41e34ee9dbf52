/**
 * What handler shapes that stream have in common: the head, one event a chunk, the result or the failure, and telling
 * the registry how their consumer ended. What they differ in is who reads the graph's stream, and what becomes of it
 * when the client leaves; that part is the shape's own.
 */
import type { ServerResponse } from 'node:http';
import type { Json } from '#analysis/model/checkpoint.ts';
import { openEvents, sendEvent } from '../event-stream.ts';
import { stateAfter, type GraphChunk } from './graph-stream.ts';
import type { RunContext } from './handler.ts';

/** How a consumer ended that did not fail. */
export type ConsumerEnd =
  { readonly outcome: 'completed' } | { readonly outcome: 'cancelled'; readonly because: string };

/** The stream was read to its end. */
export const completed: ConsumerEnd = { outcome: 'completed' };

/** The shape stopped reading because nobody listens any more. */
export const clientLeft: ConsumerEnd = { outcome: 'cancelled', because: 'the client left' };

/** Sends the chunks of one run and remembers the newest state. */
export class SentChunks {
  readonly #response: ServerResponse;
  #state: Json = null;

  constructor(response: ServerResponse) {
    this.#response = response;
  }

  /** The state that the stream has told by now. */
  get state(): Json {
    return this.#state;
  }

  send([mode, chunk]: GraphChunk): void {
    if (mode === 'values') this.#state = stateAfter(this.#state, chunk);
    else sendEvent(this.#response, { event: 'chunk', update: chunk });
  }
}

/** Serves a run with `consume` as its consumer. Never rejects: a failure is an event and a record. */
export async function serveEvents(
  { request, response, runs, worker, slot }: RunContext,
  consume: (sent: SentChunks) => Promise<ConsumerEnd>,
): Promise<void> {
  openEvents(response);
  sendEvent(response, { event: 'accepted', worker, slot });
  const sent = new SentChunks(response);
  try {
    const end = await consume(sent);
    if (end.outcome === 'completed') {
      runs.consumerEnded(request.run, { outcome: 'completed', returned: sent.state, error: null });
      sendEvent(response, { event: 'result', run: request.run, state: sent.state });
    } else runs.consumerEnded(request.run, { outcome: 'cancelled', returned: null, error: end.because });
  } catch (error) {
    const reason = reasonOf(error);
    runs.consumerEnded(request.run, { outcome: 'errored', returned: null, error: reason });
    sendEvent(response, { event: 'failed', run: request.run, error: reason });
  } finally {
    response.end();
  }
}

/** Calls back when the client closes the connection before the response is complete. */
export function onClientGone(response: ServerResponse, then: () => void): void {
  response.once('close', () => {
    if (!response.writableFinished) then();
  });
}

/** An error in one line. */
export function reasonOf(error: unknown): string {
  return error instanceof Error ? `${error.name}: ${error.message}` : String(error);
}
