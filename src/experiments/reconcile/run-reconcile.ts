/**
 * The experiment `reconcile` from nothing to its result: a database, processes that make a population of known truth, one
 * capture while live runs go on, then every sweep over the same files. Whatever happens, no process and no server stays.
 */
import { OperatorError } from '#src/failure/operator-error.ts';
import { openPool } from '#src/postgres/open-pool.ts';
import { seriesDsn } from '#src/postgres/series-connection.ts';
import { startWatchdog } from '#src/postgres/watchdog.ts';
import { createRunDirectory, replaceFile } from '#src/rundir/layout.ts';
import { guardProcess, openDatabase } from '#src/runner/database.ts';
import { Releasers } from '#src/runner/releasers.ts';
import { SeriesInterrupted } from '#src/runner/series-options.ts';
import { seriesVersions } from '#src/runner/versions.ts';
import { populationKinds, reconcileClaim, sweeps } from '#trials/experiments/reconcile.ts';
import type { RunExperiment } from '../experiment.ts';
import { PopulationProcess } from './population-process.ts';
import { makePopulation, releasePopulation } from './population.ts';
import {
  reconcileJson,
  scoreAnswers,
  verdictOfSweeps,
  type ReconcileResult,
  type ScoredSweep,
} from './reconcile-result.ts';
import { reconcileText } from './reconcile-text.ts';
import { createRunTable } from './run-table.ts';
import { captureSweep, sweepFiles } from './sweep-files.ts';
import { commandOf, runSweep } from './sweep.ts';

/** Threads of each kind unless told otherwise: 56 in all. */
const defaultEach = 4;
/** Worker processes unless told otherwise; half of them are killed. */
const defaultWorkers = 4;
/** Five heartbeats: a worker that misses one or two for want of a processor keeps its leases. */
const leaseMs = 2_000;
const heartbeatMs = 400;

const exitCodes = { valid: 0, invalid: 1, unknown: 2 } as const;

/** See the file's head. `trials` is the number of threads of each kind. */
export const runReconcile: RunExperiment = async (options, watcher, stop) => {
  const durability = options.durability ?? 'async';
  if (durability === 'exit') throw nothingStored();
  const workers = Math.max(2, options.workers ?? defaultWorkers);
  const victimCount = Math.floor(workers / 2);
  const each = options.trials ?? defaultEach;
  const startedAt = new Date();
  const layout = createRunDirectory(options.out, 'reconcile', startedAt);
  const releasers = new Releasers();
  try {
    const watchdog = startWatchdog();
    releasers.add('the watchdog', () => watchdog.close());
    watcher.phase(`starting the database and ${workers} workers`);
    const prefix = `reconcile-${startedAt.getTime().toString(36)}-${process.pid.toString(36)}`;
    const processes = Array.from({ length: workers }, (_, index) => {
      const made = new PopulationProcess(`worker-${index + 1}`, layout.workers, (pid) => {
        guardProcess(watchdog, pid, watcher.warn);
      });
      releasers.add(`worker ${index + 1}`, () => made.kill());
      return made;
    });
    const { server, schema } = await openDatabase({
      db: options.db,
      keepDb: options.keepDb,
      seriesId: prefix,
      watchdog,
      releasers,
    });
    const dsn = seriesDsn(server.localDsn, schema);
    const pool = openPool({ connectionString: dsn, max: 2 });
    releasers.add('the pool', () => pool.end());
    // Added after the database, so they end before it: what they do when it goes away is no part of this.
    releasers.add('the processes', async () => {
      await Promise.all(processes.map((made) => made.kill()));
    });
    await createRunTable(pool, schema);
    await Promise.all(
      processes.map((made) => made.configure({ dsn, schema, durability, leaseMs, heartbeatMs })),
    );
    stop.throwIfAborted();
    watcher.phase(`making ${each * populationKinds.length} threads`);
    const population = await makePopulation({
      kinds: populationKinds,
      each,
      prefix,
      victims: processes.slice(0, victimCount),
      keepers: processes.slice(victimCount),
      silenceMs: leaseMs,
      pool,
      schema,
      signal: AbortSignal.any([stop, server.lost]),
      progress: (made) => {
        watcher.progress(made, each * populationKinds.length, 0);
      },
    });
    const files = sweepFiles(layout.folder);
    const captured = await captureSweep(pool, schema, population.threads, files);
    await releasePopulation(population);
    watcher.phase(`sweeping ${population.threads.length} threads in ${sweeps.length} ways`);
    const moment = {
      asOfMs: captured.asOfMs,
      minAgeMs: captured.asOfMs - population.momentMs,
      stallAfterMs: leaseMs,
    };
    const scored: ScoredSweep[] = [];
    for (const sweep of sweeps) {
      const told = await runSweep(sweep, files, moment);
      scored.push({
        sweep,
        score: scoreAnswers(population, told, options.interval),
        command: commandOf(sweep, files, moment),
      });
    }
    const result: ReconcileResult = {
      settings: {
        claim: reconcileClaim,
        durability,
        each,
        keepers: workers - victimCount,
        victims: victimCount,
        leaseMs,
        interval: options.interval,
        startedAt: startedAt.toISOString(),
        versions: seriesVersions(server.serverVersion),
        database: server.kind,
        folder: layout.folder,
      },
      moment,
      threads: population.threads.length,
      misbuilt: population.misbuilt,
      lapsedLeases: captured.lapsedLeases,
      sweeps: scored,
      verdict: verdictOfSweeps(population, captured, scored),
    };
    const json = reconcileJson(result);
    replaceFile(`${layout.folder}/reconcile.json`, `${JSON.stringify(json, null, 2)}\n`);
    return { text: reconcileText(result, options.palette), json, exitCode: exitCodes[result.verdict] };
  } catch (error) {
    throw stop.aborted ? new SeriesInterrupted(layout.folder) : error;
  } finally {
    await releasers.releaseAll();
  }
};

function nothingStored(): OperatorError {
  return new OperatorError({
    happened: 'a run with exit durability stores nothing before it ends, so no sweep can see one at work',
    place: '--durability exit',
    expected: 'async or sync',
    remedy: 'Choose one of these; what exit leaves after a kill is what forkscope race vanish measures.',
  });
}
