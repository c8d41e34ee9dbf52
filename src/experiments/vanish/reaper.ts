/**
 * A reaper: takes up runs that nobody works on any more, from the ledger alone. Easy to get wrong: a run whose thread has
 * ended must be entered and not run again; and one that ends its worker each time must come to a stop, which is what the
 * cap on attempts is for.
 */
import { setTimeout as delay } from 'node:timers/promises';
import type { CompiledGraph } from '#trials/graph.ts';
import type { OrderRuns } from './order-runs.ts';
import type { ClaimedRun, RunLedger } from './run-ledger.ts';
import type { ReapLimits } from './vanish-protocol.ts';

/** Runs taken up at once. */
const atOnce = 25;
/** Between two looks while runs are open and none is stale yet. */
const lookMs = 25;

/** Works until no run of the prefix is open. */
export async function reap(
  ledger: RunLedger,
  graph: CompiledGraph,
  runs: OrderRuns,
  limits: ReapLimits,
): Promise<void> {
  while ((await ledger.open(limits)) > 0) {
    await ledger.quarantine(limits);
    const claimed = await ledger.claim(limits, atOnce);
    if (claimed.length === 0) await delay(lookMs);
    else await Promise.all(claimed.map((run) => takeUp(run, ledger, graph, runs)));
  }
}

async function takeUp(
  { order, attempts, hasCheckpoint }: ClaimedRun,
  ledger: RunLedger,
  graph: CompiledGraph,
  runs: OrderRuns,
): Promise<void> {
  if (!hasCheckpoint) {
    await runs.run(order, attempts, { lines: order.lines }, () => undefined);
    return;
  }
  const { next } = await graph.getState({ configurable: { thread_id: order.thread } });
  if (next.length === 0) await ledger.end(order.run, null);
  else await runs.run(order, attempts, null, () => undefined);
}
