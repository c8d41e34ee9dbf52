/**
 * One series from nothing to a run directory: database, workers, n trials, drained instruments. Analysis comes
 * after, from the files alone. Whatever happens, what was acquired is released, and what was seen stays on disk.
 */
import { setMaxListeners } from 'node:events';
import type { NodeName } from '#analysis/model/identifiers.ts';
import { deriveRules } from '#analysis/invariants/derive-rules.ts';
import { racingOf } from '#trials/scenario.ts';
import { seriesDsn } from '#src/postgres/series-connection.ts';
import { startWatchdog } from '#src/postgres/watchdog.ts';
import { graphShapeOf } from '#trials/graph-shape.ts';
import { Cluster } from '../cluster/cluster.ts';
import { createRunDirectory, type RunLayout } from '../rundir/layout.ts';
import { writeSeriesFile, type SeriesFile } from '../rundir/series-file.ts';
import { guardProcess, openDatabase, type SeriesDatabase } from './database.ts';
import { raceTrials } from './race-trials.ts';
import { Releasers } from './releasers.ts';
import { SeriesInterrupted, type SeriesOptions, type SeriesWatcher } from './series-options.ts';
import { ServiceSet } from './service-set.ts';
import { analyseSeries } from './series-analysis.ts';
import { requireOutcome, stoppingShare } from './stopping.ts';
import { seriesVersions } from './versions.ts';

/** A worker loads LangGraph, about a second of CPU; many of them on few cores take turns. */
const startDeadlineMs = 60_000;

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
  // Every trial in flight listens to it, as many as --parallel says.
  setMaxListeners(0, ended);
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
    const guard = (pid: number): void => {
      guardProcess(watchdog, pid, watcher.warn);
    };
    const serving = opening.then((database) => startServices(options, layout, database, guard, releasers));
    const [opened, served, started] = await Promise.allSettled([
      opening,
      serving,
      startCluster(options, layout, opening, serving, guard),
    ]);
    // Added after the database, so released before it.
    if (started.status === 'fulfilled') releasers.add('the workers', () => started.value.stop());
    if (opened.status === 'rejected') throw opened.reason;
    if (served.status === 'rejected') throw served.reason;
    if (started.status === 'rejected') throw started.reason;
    const [database, services, cluster] = [opened.value, served.value, started.value];
    database.server.lost.addEventListener('abort', () => {
      failed.abort(database.server.lost.reason);
    });
    void services.died.then((reason) => {
      failed.abort(reason);
    });
    const settings = await seriesSettings(options, startedAt, database);
    stopIfAsked();
    writeSeriesFile(layout, { ...settings, phase: 'started', racedMs: null, arms: [] });
    cluster.on('broken', (error) => {
      failed.abort(error);
    });
    const { stopping } = options;
    const enough = async (): Promise<ReadonlySet<string>> => {
      if (stopping === null) return new Set();
      const { arms } = await analyseSeries(layout.folder, settings, ended);
      requireOutcome(
        stopping.outcome,
        arms.map(({ outcomes }) => outcomes),
      );
      const done = arms.filter(
        ({ outcomes }) => stoppingShare(outcomes, stopping, options.interval.level)?.isEnough === true,
      );
      return new Set(done.map(({ outcomes }) => outcomes.arm));
    };
    const racedMs = await raceTrials({
      enough,
      options,
      layout,
      database,
      services,
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
  services: Promise<ServiceSet>,
  onFork: (pid: number) => void,
): Promise<Cluster> {
  return Cluster.start({
    workers: options.workers,
    sharedPort: options.port,
    logFolder: layout.workers,
    startDeadlineMs,
    onFork,
    config: Promise.all([database, services]).then(([{ server, schema }, { addresses }]) => ({
      dsn: seriesDsn(server.localDsn, schema),
      schema,
      scenario: options.scenario.name,
      scenarioFile: options.scenario.file?.path ?? null,
      scale: options.scale,
      effectsFile: layout.effects,
      services: addresses,
    })),
  });
}

async function startServices(
  options: SeriesOptions,
  layout: RunLayout,
  { server, schema }: SeriesDatabase,
  guard: (pid: number) => void,
  releasers: Releasers,
): Promise<ServiceSet> {
  return ServiceSet.start(options.arms, {
    dsn: seriesDsn(server.localDsn, schema),
    schema,
    scenario: options.scenario.name,
    scenarioFile: options.scenario.file?.path ?? null,
    scale: options.scale,
    effectsFile: layout.effects,
    folder: layout.folder,
    guard,
    releasers,
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
    ...(scenario.file === undefined ? {} : { scenarioFile: { ...scenario.file } }),
    seed: options.seed,
    trials: options.trials,
    ...(options.stopping === null ? {} : { stopping: { ...options.stopping } }),
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
    compared: options.arms.map((arm) => ({
      name: arm.name,
      summary: arm.summary,
      handler: arm.handler,
      guard: arm.guard,
      versions: arm.versions,
      durability: arm.durability ?? options.durability,
      racing: [...racingOf(scenario, arm)],
      ...(arm.trigger === undefined ? {} : { trigger: arm.trigger }),
      ...(arm.claim === undefined ? {} : { claim: arm.claim }),
      ...(arm.cell === undefined ? {} : { cell: { ...arm.cell } }),
    })),
    ...(scenario.anomalies === undefined
      ? {}
      : {
          anomalies: scenario.anomalies.map((anomaly) => ({ ...anomaly, outcomes: [...anomaly.outcomes] })),
        }),
    ...(scenario.grid === undefined ? {} : { grid: { ...scenario.grid } }),
    ...(scenario.asksWhenLearned === undefined ? {} : { asksWhenLearned: true }),
    ...(options.swept === null ? {} : { swept: options.swept }),
    graph: {
      nodes: [...graph.nodes],
      edges: [...graph.edges],
      barriers: graph.barriers.map(({ from, to }) => ({ from: [...from], to })),
      unbounded: [...graph.unbounded],
      deferred: [...(graph.deferred ?? [])],
    },
    rules: [...(await deriveRules(graph)), ...(scenario.rules ?? [])],
  };
}
