/** The fencing token of a run's lease: carried by its configuration, and stored in the metadata of its checkpoints. */
import type { RunnableConfig } from '@langchain/core/runnables';

/** The key in `configurable` and in metadata. */
export const fenceKey = 'forkscope_fence';

/** The token that a run's configuration carries; null for runs without a lease. */
export function fenceOf(config: RunnableConfig): number | null {
  const fence: unknown = config.configurable?.[fenceKey];
  return typeof fence === 'number' ? fence : null;
}
