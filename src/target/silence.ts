/**
 * When is a run of somebody else's service over? Nobody says; all there is is silence: no row of the thread and no record
 * in the effect log for a while. Easy to get wrong: a node that works for longer than that looks like the end.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { monotonicMs } from '../protocol/monotonic.ts';

/** Resolves when what `lookAt` gives has been the same for `quietMs`. *Cost*: some ten looks in that time. */
export async function silence(
  lookAt: () => Promise<string>,
  quietMs: number,
  signal: AbortSignal,
): Promise<void> {
  let seen = await lookAt();
  let since = monotonicMs();
  while (monotonicMs() - since < quietMs) {
    await delay(Math.max(20, quietMs / 10), undefined, { signal });
    const now = await lookAt();
    if (now !== seen) since = monotonicMs();
    seen = now;
  }
}
