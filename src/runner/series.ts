/**
 * One series from nothing to a run directory: database, workers, n trials, drained instruments. Analysis comes
 * after, from the files alone. Whatever happens, what was acquired is released, and what was seen stays on disk.
 */
import pLimit from 'p-limit';
import type { NodeName, ThreadId } from '#analysis/model/identifiers.ts';
import { deriveRules } from '#analysis/invariants/derive-rules.ts';
import { seriesDsn } from '#src/postgres/series-connection.ts';
import { startWatchdog } from '#src/postgres/watchdog.ts';
import { graphShapeOf } from '#trials/graph-shape.ts';
import { Cluster } from '../cluster/cluster.ts';
import { describeDeath } from '../cluster/worker-process.ts';
import { StartGate } from '../driver/start-gate.ts';
import { runTrial, type TrialContext } from '../driver/trial.ts';
import { drainWorker } from '../driver/worker-client.ts';
import { OperatorError } from '../failure/operator-error.ts';
import { monotonicMs } from '../protocol/monotonic.ts';
import { AppendFile } from '../rundir/append-file.ts';
import type { HistoryEvent } from '../rundir/history-event.ts';
import { createRunDirectory, type RunLayout } from '../rundir/layout.ts';
import { writeSeriesFile, type SeriesFile } from '../rundir/series-file.ts';
import { guardProcess, openDatabase, type SeriesDatabase } from './database.ts';
import { Releasers } from './releasers.ts';
import { RowCapture } from './row-capture.ts';
import { SeriesInterrupted, type SeriesOptions, type SeriesWatcher } from './series-options.ts';
import { seriesVersions } from './versions.ts';

/** A worker loads LangGraph, about a second of CPU; many of them on few cores take turns. */
const startDeadlineMs = 60_000;

/** Beyond the graph's own delays a trial needs milliseconds; this much more means that something hangs. */
const trialSlackMs = 60_000;

/** A series whose trials are over. */
export interface RacedSeries {
  readonly layout: RunLayout;
  readonly series: SeriesFile;
}

/**
 * Runs a series.
 *
 * @param stop aborts it: running trials are aborted, everything is released
 * @param follow what is made of the stored series; it reads files alone, so workers and server stop meanwhile
 * @throws SeriesInterrupted when stopped; OperatorError when the environment fails; what `follow` throws
 */
export async function runSeries<T>(
  options: SeriesOptions,
  watcher: SeriesWatcher,
  stop: AbortSignal,
  follow: (raced: RacedSeries) => Promise<T>,
): Promise<T> {
  const startedAt = new Date();
  const layout = createRunDirectory(options.out, options.scenario.name, startedAt);
  const releasers = new Releasers();
  let following: Promise<T>;
  const failed = new AbortController();
  const ended = AbortSignal.any([stop, failed.signal]);
  const stopIfAsked = () => {
    if (failed.signal.aborted) throw failed.signal.reason as Error;
    if (stop.aborted) throw new SeriesInterrupted(layout.folder);
  };
  try {
    const watchdog = startWatchdog();
    releasers.add('the watchdog', () => watchdog.close());
    watcher.phase(`starting the database and ${options.workers} workers`);
    const seriesId = `${options.scenario.name}-${startedAt.getTime().toString(36)}-${process.pid.toString(36)}`;
    const opening = openDatabase({ db: options.db, keepDb: options.keepDb, seriesId, watchdog, releasers });
    const [opened, started] = await Promise.allSettled([
      opening,
      startCluster(options, layout, opening, (pid) => {
        guardProcess(watchdog, pid, watcher.warn);
      }),
    ]);
    // Added after the database, so released before it.
    if (started.status === 'fulfilled') releasers.add('the workers', () => started.value.stop());
    if (opened.status === 'rejected') throw opened.reason;
    if (started.status === 'rejected') throw started.reason;
    const [database, cluster] = [opened.value, started.value];
    database.server.lost.addEventListener('abort', () => {
      failed.abort(database.server.lost.reason);
    });
    const settings = await seriesSettings(options, startedAt, database);
    stopIfAsked();
    writeSeriesFile(layout, { ...settings, phase: 'started', racedMs: null, arms: [] });
    cluster.on('broken', (error) => {
      failed.abort(error);
    });
    const racedMs = await raceTrials({
      options,
      layout,
      database,
      cluster,
      seriesId,
      watcher,
      ended,
      failed,
    });
    const series: SeriesFile = { ...settings, phase: ended.aborted ? 'stopped' : 'raced', racedMs, arms: [] };
    writeSeriesFile(layout, series);
    stopIfAsked();
    following = follow({ layout, series });
    // Awaited below; a failure until then must not count as unhandled.
    following.catch(() => undefined);
  } finally {
    await releasers.releaseAll();
  }
  return following;
}

async function startCluster(
  options: SeriesOptions,
  layout: RunLayout,
  database: Promise<SeriesDatabase>,
  onFork: (pid: number) => void,
): Promise<Cluster> {
  return Cluster.start({
    workers: options.workers,
    sharedPort: options.port,
    logFolder: layout.workers,
    startDeadlineMs,
    onFork,
    config: database.then(({ server, schema }) => ({
      dsn: seriesDsn(server.localDsn, schema),
      schema,
      scenario: options.scenario.name,
      scale: options.scale,
      effectsFile: layout.effects,
    })),
  });
}

async function seriesSettings(
  options: SeriesOptions,
  startedAt: Date,
  database: SeriesDatabase,
): Promise<Omit<SeriesFile, 'phase' | 'racedMs' | 'arms'>> {
  const { scenario } = options;
  const build = await scenario.graph.load();
  const graph = await graphShapeOf(
    build({ perform: () => Promise.reject(new Error('this graph is only looked at')) }, null),
    scenario.graph.routes,
  );
  return {
    format: 'forkscope-series/1',
    scenario: scenario.name,
    claim: scenario.claim,
    seed: options.seed,
    trials: options.trials,
    parallel: options.parallel,
    workers: options.workers,
    durability: options.durability,
    scale: options.scale,
    sameWorker: options.sameWorker,
    interval: options.interval,
    startedAt: startedAt.toISOString(),
    versions: seriesVersions(database.server.serverVersion),
    database: database.server.kind,
    counted: scenario.counted.map((node) => node as NodeName),
    racing: [...scenario.racing],
    graph: {
      nodes: [...graph.nodes],
      edges: [...graph.edges],
      barriers: graph.barriers.map(({ from, to }) => ({ from: [...from], to })),
      unbounded: [...graph.unbounded],
      deferred: [...(graph.deferred ?? [])],
    },
    rules: await deriveRules(graph),
  };
}

interface Race {
  readonly options: SeriesOptions;
  readonly layout: RunLayout;
  readonly database: SeriesDatabase;
  readonly cluster: Cluster;
  readonly seriesId: string;
  readonly watcher: SeriesWatcher;
  readonly ended: AbortSignal;
  readonly failed: AbortController;
}

/** Runs the trials and drains the instruments. Resolves with the milliseconds the trials took. */
async function raceTrials(race: Race): Promise<number> {
  const { options, layout, database, cluster, watcher, ended } = race;
  const history = new AppendFile(layout.history);
  const capture = new RowCapture(
    seriesDsn(database.server.localDsn, database.schema),
    database.schema,
    layout.rows,
  );
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
    record({ event: 'account', worker, finalSequence: null, tableFailures: null });
    watcher.warn(`${what}. Its trials are aborted; a new worker takes its place.`);
  });
  const context: TrialContext = {
    ...options,
    gate: new StartGate(),
    worker: (slot) => cluster.worker(slot),
    record,
    deathOf: (pid) => deaths.get(pid) ?? null,
    deadlineMs: trialSlackMs + longestTrialMs(options),
  };
  try {
    watcher.phase(`running ${options.trials} trials`);
    const began = monotonicMs();
    let finished = 0;
    let aborted = 0;
    const limit = pLimit(options.parallel);
    await Promise.all(
      Array.from({ length: options.trials }, (_, index) =>
        limit(async () => {
          if (ended.aborted) return;
          const thread = `${race.seriesId}-${index + 1}` as ThreadId;
          try {
            const end = await runTrial(context, index + 1, thread, ended);
            await captureTrial(race, capture, thread, end.kind === 'aborted');
            const atMs = monotonicMs();
            if (end.kind === 'completed') record({ event: 'completed', trial: index + 1, atMs });
            else record({ event: 'aborted', trial: index + 1, reason: end.reason, atMs });
            finished += 1;
            if (end.kind === 'aborted') aborted += 1;
            watcher.progress(finished, options.trials, aborted);
          } catch (error) {
            race.failed.abort(error);
          }
        }),
      ),
    );
    const racedMs = monotonicMs() - began;
    if (!ended.aborted) {
      watcher.phase('draining the effect logs');
      await drain(race, record);
      await capture.takeEffectsTable(layout.effectsTable);
    }
    return racedMs;
  } finally {
    await capture.close();
    history.close();
  }
}

/** A completed trial whose rows cannot be read means that the database is gone; an aborted one may have been cut by that. */
async function captureTrial(
  race: Race,
  capture: RowCapture,
  thread: ThreadId,
  wasAborted: boolean,
): Promise<void> {
  try {
    await capture.take(thread);
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
        record({ event: 'account', worker: String(worker.pid), finalSequence: null, tableFailures: null });
      }
    }),
  );
}

/** An upper bound of what the declared offsets can add up to; graph delays are within the slack at any sane scale. */
function longestTrialMs(options: SeriesOptions): number {
  const offsets = options.scenario.stages.map((stage) =>
    Math.max(...stage.requests.map(({ offsetMs }) => offsetMs)),
  );
  const stageWorkMs = 10_000;
  return (offsets.reduce((sum, offset) => sum + offset, 0) + offsets.length * stageWorkMs) * options.scale;
}
