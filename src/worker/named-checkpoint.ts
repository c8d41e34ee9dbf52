/**
 * Which checkpoint does a client name when it goes back in a thread? What a chat's history shows it: the newest, or the
 * one before a node ran. Easy to get wrong: a replay copies the checkpoint it starts from, and the copy has the same
 * node next; the oldest is the original.
 */
import type { CompiledGraph } from '#trials/graph.ts';

/**
 * The id of the head, or of the oldest checkpoint at which `before` was next; null when the thread has none.
 * *Cost*: reads the whole thread.
 */
export async function namedCheckpoint(
  graph: CompiledGraph,
  thread: string,
  before: string | null,
): Promise<string | null> {
  let oldest: string | null = null;
  // Newest first.
  for await (const { next, config } of graph.getStateHistory({ configurable: { thread_id: thread } })) {
    const id: unknown = config.configurable?.['checkpoint_id'];
    if (typeof id !== 'string') continue;
    if (before === null) return id;
    if ((next as readonly string[]).includes(before)) oldest = id;
  }
  return oldest;
}
