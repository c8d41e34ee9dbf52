/** Starts the graph for a request, as every handler shape does: what differs between shapes is who reads the stream. */
import { Command } from '@langchain/langgraph';
import type { Json } from '#analysis/model/checkpoint.ts';
import { runTokenKey } from '#analysis/model/identifiers.ts';
import { chargingKey } from '../charging.ts';
import { businessKeyKey } from '../node-actions.ts';
import type { RunContext } from './handler.ts';

/** One chunk: `updates` tells what a node wrote, `values` the state behind a superstep. */
export type GraphChunk = readonly [mode: string, chunk: Json];

/** The graph's stream; also a web ReadableStream, as LangGraph's own is. `signal`: cancels the run; null: nothing does. */
export async function graphStream(
  { request, graph }: Pick<RunContext, 'request' | 'graph'>,
  signal: AbortSignal | null,
): Promise<AsyncIterable<GraphChunk> & ReadableStream<GraphChunk>> {
  const { input, resume, checkpoint } = request;
  const stream: unknown = await graph.stream(resume === undefined ? input : answerTo(resume.value), {
    configurable: {
      thread_id: request.thread,
      ...(checkpoint === undefined ? {} : { checkpoint_id: checkpoint }),
      [runTokenKey]: request.run,
      [businessKeyKey]: request.businessKey,
      ...(request.charging === undefined ? {} : { [chargingKey]: request.charging }),
    },
    ...(signal === null ? {} : { signal }),
    durability: request.durability,
    streamMode: ['updates', 'values'],
  });
  return stream as AsyncIterable<GraphChunk> & ReadableStream<GraphChunk>;
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
