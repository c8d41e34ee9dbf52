/**
 * One batch: orders posted to one service so that, when the fault comes, their ages since the answer are spread evenly;
 * then the fault. Easy to get wrong: an age is drawn for each order and the order posted that long before the fault, since
 * a fault at a drawn moment after each order would need a worker for each.
 */
import { setTimeout as delay } from 'node:timers/promises';
import type { TcpProxy } from '#src/services/tcp-proxy/tcp-proxy.ts';
import { monotonicMs } from '#src/protocol/monotonic.ts';
import type { Chance } from '#src/chance.ts';
import { deadlyFaults, type VanishFault } from '#trials/experiments/vanish.ts';
import { postOrder, type PostedOrder } from './post-order.ts';
import type { ServiceProcess } from './service-process.ts';

/** Lines that no heap of a service holds. */
const endlessLines = 4_000_000;
/** Orchestrators wait 30 s by default; a run is over long before. */
const graceMs = 30_000;

/** Orders before the first that counts: a service that has just started answers its first ones many times slower. */
const warmingRounds = 3;
const warmingOrders = 6;

/** What a batch is. */
export interface BatchPlan {
  readonly service: ServiceProcess;
  readonly port: number;
  readonly fault: VanishFault;
  /** Names of runs and threads begin so. */
  readonly prefix: string;
  readonly orders: number;
  /** Ages at the fault are drawn from 0 to this, milliseconds. */
  readonly spanMs: number;
  /** How long it usually takes from posting to the answer, milliseconds. */
  readonly leadMs: number;
  readonly chance: Chance;
  /** On the way to the database; null where none is needed. */
  readonly proxy: TcpProxy | null;
  readonly signal: AbortSignal;
}

/** What came of it. */
export interface Batch {
  readonly posted: readonly PostedOrder[];
  /** When the fault came, monotonic milliseconds; null where no fault ends the worker. */
  readonly faultMs: number | null;
  /** Connections that were cut. */
  readonly cuts: number;
}

/** Runs it. When this resolves the service has ended by the fault, or its last run is over. */
export async function runBatch(plan: BatchPlan): Promise<Batch> {
  const { service, port, fault, prefix, spanMs, leadMs, chance, proxy, signal } = plan;
  const ages = Array.from({ length: plan.orders }, () => chance.unit() * spanMs).sort((a, b) => b - a);
  const began = monotonicMs();
  let cuts = 0;
  const posting: Promise<PostedOrder>[] = [];
  for (const [index, age] of ages.entries()) {
    await until(began + spanMs - age, signal);
    const thread = `${prefix}-${String(index + 1).padStart(3, '0')}`;
    if (fault === 'cut' && proxy !== null) {
      void proxy.cutNext('to-target', carriesCheckpoint(thread)).then(() => (cuts += 1));
    }
    posting.push(postOrder(port, { run: thread, thread, lines: 0 }));
  }
  if (!deadlyFaults.has(fault)) {
    const posted = await Promise.race([Promise.all(posting), service.failed]);
    await Promise.race([service.overs(posted.length), service.failed]);
    return { posted, faultMs: null, cuts };
  }
  await until(began + spanMs + leadMs, signal);
  const faultMs = monotonicMs();
  if (fault === 'memory') {
    const thread = `${prefix}-endless`;
    posting.push(postOrder(port, { run: thread, thread, lines: endlessLines }));
    await service.end(null, graceMs);
  } else await service.end(fault === 'kill' ? 'SIGKILL' : 'SIGTERM', graceMs);
  return { posted: await Promise.all(posting), faultMs, cuts };
}

/** Orders whose outcome does not matter, run to their ends. */
export async function warmUp(service: ServiceProcess, port: number, prefix: string): Promise<void> {
  for (let round = 1; round <= warmingRounds; round += 1) {
    const orders = Array.from({ length: warmingOrders }, (_, index) => `${prefix}-${round}-${index}`);
    const posting = orders.map((thread) => postOrder(port, { run: thread, thread, lines: 0 }));
    await Promise.race([Promise.all(posting), service.failed]);
    await Promise.race([service.overs(round * warmingOrders), service.failed]);
  }
  service.heard.clear();
}

/** The driver sends a statement and its values in one piece, so one chunk holds both. */
function carriesCheckpoint(thread: string): (bytes: Buffer) => boolean {
  return (bytes) => bytes.includes('.checkpoints (thread_id') && bytes.includes(thread);
}

async function until(momentMs: number, signal: AbortSignal): Promise<void> {
  const waitMs = momentMs - monotonicMs();
  if (waitMs > 0) await delay(waitMs, undefined, { signal });
}
