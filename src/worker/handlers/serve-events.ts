/**
 * What handler shapes that stream have in common: the head, one event a chunk, the result or the failure, and telling
 * the registry how their consumer ended. What they differ in is who reads the graph's stream, and what becomes of it
 * when the client leaves; that part is the shape's own.
 */
import type { ServerResponse } from 'node:http';
import type { Json } from '#analysis/model/checkpoint.ts';
import type { RunEvent } from '../../protocol/run-request.ts';
import { openEvents, sendEvent } from '../event-stream.ts';
import { stateAfter, type GraphChunk } from './graph-stream.ts';
import type { RunContext } from './handler.ts';

/** How a consumer ended that did not fail. `state`: what the run returned, where the stream has not told it. */
export type ConsumerEnd =
  | { readonly outcome: 'completed'; readonly state?: Json }
  | { readonly outcome: 'cancelled'; readonly because: string };

/** The stream was read to its end. */
export const completed: ConsumerEnd = { outcome: 'completed' };

/** The shape stopped reading because nobody listens any more. */
export const clientLeft: ConsumerEnd = { outcome: 'cancelled', because: 'the client left' };

/** Tells whoever listens to a run. After the last event there is no other. */
export type Tell = (event: RunEvent, isLast: boolean) => void;

/** Tells the chunks of one run and remembers the newest state. */
export class ToldChunks {
  readonly #tell: Tell;
  #state: Json = null;

  constructor(tell: Tell) {
    this.#tell = tell;
  }

  /** The state that the stream has told by now. */
  get state(): Json {
    return this.#state;
  }

  take([mode, chunk]: GraphChunk): void {
    if (mode === 'values') this.#state = stateAfter(this.#state, chunk);
    else this.#tell({ event: 'chunk', update: chunk }, false);
  }
}

/** Reads a run's stream. */
export type Consume = (chunks: ToldChunks) => Promise<ConsumerEnd>;

/** Consumes a run, tells of it and records how its consumer ended. Never rejects: a failure is an event and a record. */
export async function consumeRun(
  { request, runs }: Pick<RunContext, 'request' | 'runs'>,
  consume: Consume,
  tell: Tell,
): Promise<void> {
  const { run } = request;
  try {
    const chunks = new ToldChunks(tell);
    const end = await consume(chunks);
    if (end.outcome === 'completed') {
      const { state = chunks.state } = end;
      runs.consumerEnded(run, { outcome: 'completed', returned: state, error: null });
      tell({ event: 'result', run, state }, true);
    } else runs.consumerEnded(run, { outcome: 'cancelled', returned: null, error: end.because });
  } catch (error) {
    const reason = reasonOf(error);
    runs.consumerEnded(run, { outcome: 'errored', returned: null, error: reason });
    tell({ event: 'failed', run, error: reason }, true);
  }
}

/** Serves a run on its own response, with `consume` as its consumer. Never rejects. */
export async function serveEvents(context: RunContext, consume: Consume): Promise<void> {
  const { response, worker, slot } = context;
  openEvents(response);
  sendEvent(response, { event: 'accepted', worker, slot });
  try {
    await consumeRun(context, consume, (event) => {
      sendEvent(response, event);
    });
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
