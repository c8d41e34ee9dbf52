/**
 * The trials of one series on a running cluster: interleaved over the arms, captured as they end, and the instruments
 * drained behind the last. Easy to get wrong: a worker that dies takes its trials with it and no others.
 */
import pLimit from 'p-limit';
import { seriesDsn } from '#src/postgres/series-connection.ts';
import { hasNeighbour, stagesOf } from '#trials/scenario.ts';
import type { Cluster } from '../cluster/cluster.ts';
import { describeDeath } from '../cluster/worker-process.ts';
import { StartGate } from '../driver/start-gate.ts';
import { runTrial } from '../driver/trial.ts';
import { slotFor, type TrialContext, type TrialPlan } from '../driver/trial-context.ts';
import { drainWorker } from '../driver/worker-client.ts';
import { OperatorError } from '../failure/operator-error.ts';
import { monotonicMs } from '../protocol/monotonic.ts';
import { AppendFile } from '../rundir/append-file.ts';
import type { HistoryEvent } from '../rundir/history-event.ts';
import type { RunLayout } from '../rundir/layout.ts';
import type { SeriesDatabase } from './database.ts';
import { EffectsTail } from './effects-tail.ts';
import { RowCapture } from './row-capture.ts';
import type { SeriesOptions, SeriesWatcher } from './series-options.ts';
import type { ServiceSet } from './service-set.ts';
import { batchesOf } from './stopping.ts';
import { neighbourPairs } from './neighbours.ts';
import { WorkerLanes } from './worker-lanes.ts';
import { trialPlans, type TrialPlans } from './trial-plans.ts';

/** Beyond the graph's own delays a trial needs milliseconds; this much more means that something hangs. */
const trialSlackMs = 60_000;

/** What the trials of a series run on. */
export interface Race {
  readonly options: SeriesOptions;
  readonly layout: RunLayout;
  readonly database: SeriesDatabase;
  readonly services: ServiceSet;
  readonly cluster: Cluster;
  readonly seriesId: string;
  /** The arms that have seen enough by now. */
  readonly enough: () => Promise<ReadonlySet<string>>;
  readonly watcher: SeriesWatcher;
  readonly ended: AbortSignal;
  readonly failed: AbortController;
}

/** Runs the trials and drains the instruments. Resolves with the milliseconds the trials took. */
export async function raceTrials(race: Race): Promise<number> {
  const { options, layout, database, cluster, watcher, ended } = race;
  const history = new AppendFile(layout.history);
  const capture = new RowCapture(
    seriesDsn(database.server.localDsn, database.schema),
    database.schema,
    layout.rows,
  );
  const effects = new EffectsTail(layout.effects);
  const deaths = new Map<number, string>();
  // A history that cannot be written ends the series, and not with an exception in whoever happened to record.
  const record = (event: HistoryEvent) => {
    try {
      history.write(event);
    } catch (error) {
      race.failed.abort(error);
    }
  };
  cluster.on('death', (death) => {
    const what = describeDeath(death);
    deaths.set(death.pid, what);
    const worker = String(death.pid);
    record({ event: 'death', slot: death.slot, worker, what, atMs: monotonicMs() });
    record(unknownAccount(worker));
    watcher.warn(`${what}. Its trials are aborted; a new worker takes its place.`);
  });
  const context: TrialContext = {
    ...options,
    gate: new StartGate(),
    worker: (slot) => cluster.worker(slot),
    record,
    deathOf: (pid) => deaths.get(pid) ?? null,
    deadlineMs: trialSlackMs + longestTrialMs(options),
    prepareServices: (arm, run, faults, signal) => race.services.prepare(arm, run, faults, signal),
    serviceMoment: (moment, run, signal) => race.services.until(moment, run, signal),
    addressOf: ({ through }, { address }) => race.services.through(through, address),
    effectsOf: (thread) => effects.of(thread),
    serviceOutcomes: (arm, thread, signal) => race.services.outcomesOf(arm, thread, signal),
  };
  try {
    const plans = await plansOf(race);
    const trials = plans.together.length + plans.alone.length;
    watcher.phase(`running ${trials} trials`);
    const began = monotonicMs();
    let finished = 0;
    let aborted = 0;
    const runOne = async (plan: TrialPlan): Promise<void> => {
      if (ended.aborted) return;
      const { trial } = plan;
      try {
        const end = await runTrial(context, plan, ended);
        await captureTrial(race, capture, plan, end.kind === 'aborted');
        const atMs = monotonicMs();
        if (end.kind === 'completed') record({ event: 'completed', trial, atMs });
        else record({ event: 'aborted', trial, reason: end.reason, atMs });
        finished += 1;
        if (end.kind === 'aborted') aborted += 1;
        watcher.progress(finished, trials, aborted);
      } catch (error) {
        race.failed.abort(error);
      }
    };
    const limit = pLimit(options.parallel);
    const lanes = new WorkerLanes();
    const runInLane = (plan: TrialPlan) =>
      plan.arm.smallSaverPool === true
        ? lanes.run(slotFor(context, plan.trial, 0), () => runOne(plan))
        : runOne(plan);
    await inBatches(race, plans.together, (batch) =>
      Promise.all(batch.map((plan) => limit(() => runInLane(plan)))),
    );
    await inBatches(race, plans.alone, async (batch) => {
      for (const plan of batch) await runOne(plan);
    });
    const racedMs = monotonicMs() - began;
    if (!ended.aborted) {
      watcher.phase('draining the effect logs');
      await drain(race, record);
      await capture.takeEffectsTable(layout.effectsTable);
      await race.services.store();
    }
    return racedMs;
  } finally {
    await capture.close();
    effects.close();
    history.close();
  }
}

/** The trials in their order, on their threads. */
async function plansOf({ options, database, seriesId }: Race): Promise<TrialPlans> {
  const { scenario, arms, trials } = options;
  const paired = arms.filter((arm) => hasNeighbour(scenario, arm));
  const pairs = await neighbourPairs(database.server.localDsn, seriesId, paired.length * trials);
  const unused = pairs.values();
  return trialPlans(arms, trials, seriesId, (arm) =>
    paired.includes(arm) ? (unused.next().value ?? null) : null,
  );
}

/** All plans at once; where arms may have seen enough, batch by batch, without those that have. */
async function inBatches(
  race: Race,
  plans: readonly TrialPlan[],
  run: (batch: readonly TrialPlan[]) => Promise<unknown>,
): Promise<void> {
  const { options, enough, failed } = race;
  if (options.stopping === null) {
    await run(plans);
    return;
  }
  let done: ReadonlySet<string> = new Set();
  for (const batch of batchesOf(plans, new Set(plans.map(({ arm }) => arm)).size)) {
    const open = batch.filter(({ arm }) => !done.has(arm.name));
    if (open.length === 0) return;
    await run(open);
    if (race.ended.aborted) return;
    try {
      done = await enough();
    } catch (error) {
      failed.abort(error);
      return;
    }
  }
}

/** A completed trial whose rows cannot be read means that the database is gone; an aborted one may have been cut by that. */
async function captureTrial(
  race: Race,
  capture: RowCapture,
  { thread, neighbour }: TrialPlan,
  wasAborted: boolean,
): Promise<void> {
  try {
    await capture.take(thread);
    if (neighbour !== null) await capture.take(neighbour);
  } catch (cause) {
    if (cause instanceof OperatorError) throw cause;
    if (wasAborted && race.ended.aborted) return;
    throw new OperatorError({
      happened: `the database stopped answering: ${cause instanceof Error ? cause.message : String(cause)}`,
      place: `reading the rows of thread ${thread}`,
      remedy: `Look at the server's log. The trials finished until then are in ${race.layout.folder}; audit them with forkscope audit.`,
      cause,
    });
  }
}

function unknownAccount(worker: string): HistoryEvent {
  return { event: 'account', worker, finalSequence: null, tableFailures: null };
}

async function drain(race: Race, record: (event: HistoryEvent) => void): Promise<void> {
  const slots = Array.from({ length: race.cluster.size }, (_, index) => index + 1);
  await Promise.all(
    slots.map(async (slot) => {
      const worker = await race.cluster.worker(slot);
      try {
        const answer = await drainWorker(worker.address, race.ended);
        record({ event: 'account', ...answer });
      } catch {
        // It died in this moment; what it logged stands, its tail is indeterminate.
        record(unknownAccount(String(worker.pid)));
      }
    }),
  );
  for (const { worker, account } of await race.services.drain(race.ended))
    record(account === null ? unknownAccount(worker) : { event: 'account', ...account });
}

/** An upper bound of what the declared offsets can add up to; graph delays are within the slack at any sane scale. */
function longestTrialMs({ scenario, arms, scale }: SeriesOptions): number {
  const stageWorkMs = 10_000;
  const lengths = arms.map((arm) =>
    stagesOf(scenario, arm).reduce(
      (sum, { requests }) => sum + Math.max(...requests.map(({ offsetMs }) => offsetMs)) + stageWorkMs,
      0,
    ),
  );
  return Math.max(...lengths) * scale;
}
