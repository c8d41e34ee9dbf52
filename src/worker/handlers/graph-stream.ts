/** Starts the graph for a request, as every handler shape does: what differs between shapes is who reads the stream. */
import type { Json } from '#analysis/model/checkpoint.ts';
import { runTokenKey } from '#analysis/model/identifiers.ts';
import { businessKeyKey } from '../node-actions.ts';
import type { RunContext } from './handler.ts';

/** One chunk: `updates` tells what a node wrote, `values` the state behind a superstep. */
export type GraphChunk = readonly [mode: string, chunk: Json];

/** The graph's stream; also a web ReadableStream, as LangGraph's own is. `signal`: cancels the run; null: nothing does. */
export async function graphStream(
  { request, graph }: Pick<RunContext, 'request' | 'graph'>,
  signal: AbortSignal | null,
): Promise<AsyncIterable<GraphChunk> & ReadableStream<GraphChunk>> {
  const stream: unknown = await graph.stream(request.input, {
    configurable: {
      thread_id: request.thread,
      [runTokenKey]: request.run,
      [businessKeyKey]: request.businessKey,
    },
    ...(signal === null ? {} : { signal }),
    durability: request.durability,
    streamMode: ['updates', 'values'],
  });
  return stream as AsyncIterable<GraphChunk> & ReadableStream<GraphChunk>;
}
