/**
 * Reads a run's stream under an AbortSignal. Easy to get wrong: an aborted for-await throws at once, and that is no
 * failure of the run.
 */
import { graphStream } from './graph-stream.ts';
import type { RunContext } from './handler.ts';
import { completed, onClientGone, reasonOf, type ConsumerEnd, type ToldChunks } from './serve-events.ts';

/** Reads to the end, or until the client leaves where `endsWithClient`. */
export async function readAbortable(
  context: RunContext,
  chunks: ToldChunks,
  endsWithClient: boolean,
): Promise<ConsumerEnd> {
  const abort = new AbortController();
  onClientGone(context.response, () => {
    if (!endsWithClient) return;
    context.runs.cancelled(context.request.run);
    abort.abort();
  });
  try {
    for await (const part of await graphStream(context, abort.signal, 'state')) chunks.take(part);
    return completed;
  } catch (error) {
    if (!abort.signal.aborted) throw error;
    return { outcome: 'cancelled', because: reasonOf(error) };
  }
}
