/**
 * One cell: batches until enough runs were accepted, the state that the fault left, and what a reaper makes of it. Easy to
 * get wrong: what was left is captured before the reaper touches it, and nothing but it may touch it.
 */
import type pg from 'pg';
import type { Chance } from '#src/chance.ts';
import type { TcpProxy } from '#src/services/tcp-proxy/tcp-proxy.ts';
import type { AppendFile } from '#src/rundir/append-file.ts';
import { deadlyFaults, type VanishCell } from '#trials/experiments/vanish.ts';
import { runBatch, warmUp, type Batch } from './batch.ts';
import { captureRows, ledgerRows, sessionsGone, type LedgerRow } from './capture.ts';
import type { HeardRun, ServiceProcess } from './service-process.ts';
import type { ServiceSupply } from './service-supply.ts';
import type { ReapLimits } from './vanish-protocol.ts';

/** Runs that are to be accepted before each fault. */
export const acceptedEach = 20;
/** Posted beyond that: some are not answered yet when the fault comes. */
const postedEach = 24;
/** Batches beyond those needed if every one had enough, before a cell is taken as it is. */
const spareBatches = 4;

/** What all cells are run with. */
export interface CellContext {
  readonly pool: pg.Pool;
  readonly schema: string;
  readonly supply: ServiceSupply;
  readonly configure: (service: ServiceProcess, cell: VanishCell) => Promise<number>;
  readonly proxy: TcpProxy;
  readonly chance: Chance;
  /** Runs to be accepted in each cell. */
  readonly wanted: number;
  readonly limits: Omit<ReapLimits, 'prefix'>;
  readonly rows: AppendFile;
  readonly ledger: AppendFile;
  readonly signal: AbortSignal;
}

/** Milliseconds, from the control of the same durability and answer. */
export interface CellTiming {
  readonly spanMs: number;
  readonly leadMs: number;
}

/** A cell as it was seen, before anything is concluded. */
export interface SeenCell extends CellTiming {
  readonly cell: VanishCell;
  readonly batches: readonly Batch[];
  readonly heard: ReadonlyMap<string, HeardRun>;
  /** The ledger as the fault left it. */
  readonly left: readonly LedgerRow[];
  /** The ledger when the reaper was done; null where none was sent. */
  readonly reaped: readonly LedgerRow[] | null;
  /** Services that ended while they took up what was left. */
  readonly endedReapers: number;
}

/** Runs it. `prefix` is the cell's own. */
export async function runCell(
  context: CellContext,
  cell: VanishCell,
  prefix: string,
  timing: CellTiming,
): Promise<SeenCell> {
  const { pool, schema, wanted, signal } = context;
  const batches: Batch[] = [];
  const heard = new Map<string, HeardRun>();
  const isDeadly = deadlyFaults.has(cell.fault);
  const most = Math.ceil(wanted / acceptedEach) + spareBatches;
  // Where nothing ends the worker every order is answered, and one that is refused is a result.
  const isShort = () => (isDeadly ? acceptedIn(batches) < wanted : postedIn(batches) < wanted);
  const missing = () =>
    Math.ceil((wanted - (isDeadly ? acceptedIn(batches) : postedIn(batches))) / acceptedEach);
  const ready: ReadyService[] = [];
  while (isShort() && batches.length < most) {
    signal.throwIfAborted();
    if (ready.length === 0) {
      ready.push(...(await readyServices(context, cell, `warm-${prefix}-${batches.length}`, missing())));
    }
    const one = ready.shift();
    if (one === undefined) break;
    const { service, port } = one;
    const orders = isDeadly ? postedEach : Math.min(postedEach, wanted - postedIn(batches));
    const batchPrefix = `${prefix}-b${String(batches.length + 1).padStart(2, '0')}`;
    const { proxy, chance } = context;
    batches.push(
      await runBatch({
        service,
        port,
        fault: cell.fault,
        prefix: batchPrefix,
        orders,
        ...timing,
        chance,
        proxy,
        signal,
      }),
    );
    await service.kill();
    for (const [run, what] of service.heard) heard.set(run, what);
  }
  await Promise.all(ready.map(({ service }) => service.kill()));
  await sessionsGone(pool, schema, signal);
  const left = await ledgerRows(pool, schema, prefix);
  const threads = batches.flatMap(({ posted }) => posted.map(({ order }) => order.thread));
  await captureRows(pool, schema, threads, context.rows);
  for (const row of left) context.ledger.write(row);
  let endedReapers = 0;
  let reaped: readonly LedgerRow[] | null = null;
  if (isDeadly) {
    endedReapers = await reapAll(context, cell, `${prefix}-`);
    reaped = await ledgerRows(pool, schema, prefix);
  }
  return { cell, ...timing, batches, heard, left, reaped, endedReapers };
}

/** A batch without a fault, of which nothing but its times is kept. */
export interface TimedBatch {
  readonly batch: Batch;
  readonly heard: ReadonlyMap<string, HeardRun>;
}

/** Twice: how long runs take depends on how close they follow each other, which the first guess decides. */
const calibrations = 2;

/** Batches without a fault, from a first guess to what `measure` makes of the last. */
export async function calibrate(
  context: CellContext,
  cell: VanishCell,
  prefix: string,
  guess: CellTiming,
  measure: (timed: TimedBatch) => CellTiming,
): Promise<CellTiming> {
  const { proxy, chance, signal } = context;
  const [ready] = await readyServices(context, cell, `warm-${prefix}`, 1);
  if (ready === undefined) throw new RangeError('one service was asked for');
  const { service, port } = ready;
  const plan = { service, port, fault: 'none', orders: postedEach, chance, proxy, signal } as const;
  let timing = guess;
  for (let round = 1; round <= calibrations; round += 1) {
    service.heard.clear();
    const batch = await runBatch({ ...plan, ...timing, prefix: `${prefix}-${round}` });
    timing = measure({ batch, heard: service.heard });
  }
  await service.kill();
  return timing;
}

interface ReadyService {
  readonly service: ServiceProcess;
  readonly port: number;
}

/** Up to so many services that serve and are warm, at least one; made together, for nothing is measured meanwhile. */
async function readyServices(
  { supply, configure }: CellContext,
  cell: VanishCell,
  prefix: string,
  most: number,
): Promise<readonly ReadyService[]> {
  const count = Math.max(1, Math.min(most, supply.together));
  const services: ServiceProcess[] = [];
  for (let number = 1; number <= count; number += 1) services.push(await supply.take());
  return Promise.all(
    services.map(async (service, index) => {
      const port = await configure(service, cell);
      await warmUp(service, port, `${prefix}-${index + 1}`);
      return { service, port };
    }),
  );
}

/** Sends services until one has found nothing left; returns how many ended over it. */
async function reapAll(context: CellContext, cell: VanishCell, prefix: string): Promise<number> {
  for (let ended = 0; ; ended += 1) {
    context.signal.throwIfAborted();
    const service = await context.supply.take();
    await context.configure(service, cell);
    const isDone = await Promise.race([service.reap({ ...context.limits, prefix }), service.failed]);
    await service.kill();
    if (isDone) return ended;
  }
}

function postedIn(batches: readonly Batch[]): number {
  return batches.flatMap(({ posted }) => posted).length;
}

function acceptedIn(batches: readonly Batch[]): number {
  return batches.flatMap(({ posted }) => posted.filter(({ answer }) => answer === 'accepted')).length;
}
