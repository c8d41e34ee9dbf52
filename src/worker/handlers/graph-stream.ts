/** Starts the graph for a request, as every handler shape does: what differs between shapes is who reads the stream. */
import { Command } from '@langchain/langgraph';
import type { Json } from '#analysis/model/checkpoint.ts';
import { runTokenKey } from '#analysis/model/identifiers.ts';
import { chargingKey } from '../charging.ts';
import { fenceKey } from '../fence.ts';
import { businessKeyKey, obeysSignalKey } from '../node-actions.ts';
import type { Durability } from '#trials/scenario.ts';
import type { RunRequest } from '../../protocol/run-request.ts';
import type { RunContext } from './handler.ts';

/** One chunk: `updates` tells what a node wrote, `values` the state behind a superstep. */
export type GraphChunk = readonly [mode: string, chunk: Json];

/**
 * `updates`: what nodes wrote, as most services stream it. `state`: the state behind each superstep as well, so that the
 * run's record can tell what it returned. A shape that notices the client's leaving between chunks must not have the
 * second kind: a state chunk that follows at once would let it notice a superstep earlier.
 */
export type StreamedKind = 'updates' | 'state';

/** The graph's stream; also a web ReadableStream, as LangGraph's own is. `signal`: cancels the run; null: nothing does. */
export async function graphStream(
  { request, fence, graph }: Pick<RunContext, 'request' | 'fence' | 'graph'>,
  signal: AbortSignal | null,
  kind: StreamedKind,
): Promise<AsyncIterable<GraphChunk> & ReadableStream<GraphChunk>> {
  const stream: unknown = await graph.stream(inputOf(request), {
    ...configOf({ request, fence }),
    ...(signal === null ? {} : { signal }),
    streamMode: kind === 'updates' ? ['updates'] : ['updates', 'values'],
  });
  return stream as AsyncIterable<GraphChunk> & ReadableStream<GraphChunk>;
}

/** What a request starts the graph with. */
export function inputOf({ input, resume }: RunRequest): RunRequest['input'] | Command {
  return resume === undefined ? input : answerTo(resume.value);
}

/** How a request runs the graph. */
export function configOf({ request, fence }: Pick<RunContext, 'request' | 'fence'>): {
  readonly configurable: Readonly<Record<string, unknown>>;
  readonly durability: Durability;
} {
  const { checkpoint, charging, nodesObeySignal } = request;
  return {
    configurable: {
      thread_id: request.thread,
      ...(checkpoint === undefined ? {} : { checkpoint_id: checkpoint }),
      [runTokenKey]: request.run,
      [businessKeyKey]: request.businessKey,
      ...(charging === undefined ? {} : { [chargingKey]: charging }),
      ...(fence === null ? {} : { [fenceKey]: fence }),
      ...(nodesObeySignal === true ? { [obeysSignalKey]: true } : {}),
    },
    durability: request.durability,
  };
}

/** The state that a stream has told by now. The `values` chunk of an interrupt holds no state, so it changes nothing. */
export function stateAfter(known: Json, values: Json): Json {
  const isState = typeof values === 'object' && values !== null && !(interruptKey in values);
  return isState ? values : known;
}

/** The key that LangGraph puts an interrupt under (langgraph 1.7.3, dist/constants.js). */
const interruptKey = '__interrupt__';

function answerTo(value: Json): Command {
  return new Command({ resume: value });
}
