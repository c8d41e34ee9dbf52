/** Why a trial was given up: what went wrong, or the death of its worker where that explains it. */
import { setTimeout as delay } from 'node:timers/promises';
import type { ServingWorker } from '../cluster/worker-process.ts';
import { monotonicMs } from '../protocol/monotonic.ts';
import type { TrialContext } from './trial-context.ts';

/** A trial cannot go on; the message is the abort reason. */
export class TrialAborted extends Error {
  override readonly name = 'TrialAborted';
}

/** How long a failed request waits for the news that its worker died, which is the better reason. */
const deathNewsMs = 400;

/** The error to throw for a reason. Waits a moment for the news that the worker died and takes that instead. */
export async function aborted(
  context: TrialContext,
  worker: ServingWorker,
  reason: string,
): Promise<TrialAborted> {
  const until = monotonicMs() + deathNewsMs;
  for (;;) {
    const death = context.deathOf(worker.pid);
    if (death !== null) return new TrialAborted(death);
    if (monotonicMs() > until) return new TrialAborted(reason);
    await delay(20);
  }
}
