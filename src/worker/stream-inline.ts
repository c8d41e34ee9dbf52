/**
 * The handler shape "stream inline, AbortSignal on close": the request's handler iterates the graph's stream and
 * writes each update as a server-sent event; when the response closes early, the signal fires. The for-await then
 * throws at once, while the run goes on to store what it has.
 */
import type { ServerResponse } from 'node:http';
import type { Json } from '#analysis/model/checkpoint.ts';
import { runTokenKey } from '#analysis/model/identifiers.ts';
import type { CompiledGraph } from '#trials/graph.ts';
import type { RunEvent, RunRequest } from '../protocol/run-request.ts';
import { businessKeyKey } from './node-actions.ts';
import type { RunRegistry } from './run-registry.ts';

/** Runs the graph for one request and ends the response. Never rejects: a failed run is an event and a record. */
export async function streamInline(options: {
  request: RunRequest;
  response: ServerResponse;
  graph: CompiledGraph;
  runs: RunRegistry;
  worker: string;
  slot: number;
}): Promise<void> {
  const { request, response, graph, runs, worker, slot } = options;
  const abort = new AbortController();
  response.on('close', () => {
    if (response.writableFinished) return;
    runs.cancelled(request.run);
    abort.abort();
  });
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' });
  sendEvent(response, { event: 'accepted', worker, slot });
  let last: Json = null;
  try {
    const stream = await graph.stream(request.input, {
      configurable: {
        thread_id: request.thread,
        [runTokenKey]: request.run,
        [businessKeyKey]: request.businessKey,
      },
      signal: abort.signal,
      durability: request.durability,
      streamMode: ['updates', 'values'],
    });
    for await (const [mode, chunk] of stream as AsyncIterable<[string, Json]>) {
      if (mode === 'values') last = chunk;
      else sendEvent(response, { event: 'chunk', update: chunk });
    }
    runs.consumerEnded(request.run, { outcome: 'completed', returned: last, error: null });
    sendEvent(response, { event: 'result', run: request.run, state: last });
  } catch (error) {
    const reason = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
    const cancelled = abort.signal.aborted;
    runs.consumerEnded(request.run, {
      outcome: cancelled ? 'cancelled' : 'errored',
      returned: null,
      error: reason,
    });
    if (!cancelled) sendEvent(response, { event: 'failed', run: request.run, error: reason });
  } finally {
    response.end();
  }
}

/** Writes one server-sent event; nothing happens when the client has left. */
export function sendEvent(response: ServerResponse, event: RunEvent): void {
  if (response.destroyed) return;
  const { event: name, ...data } = event;
  response.write(`event: ${name}\ndata: ${JSON.stringify(data)}\n\n`);
}
