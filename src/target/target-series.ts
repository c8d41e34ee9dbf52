/**
 * A series against somebody else's service: n trials, each on a thread of its own, and the rows that its saver stored.
 * The database is only read, in READ ONLY transactions, and nothing is created in it.
 */
import type { ThreadId } from '#analysis/model/identifiers.ts';
import pLimit from 'p-limit';
import type pg from 'pg';
import { readTableLayout } from '#src/postgres/table-layout.ts';
import { withClient } from '#src/postgres/with-client.ts';
import { openPool } from '#src/postgres/open-pool.ts';
import { StartGate } from '../driver/start-gate.ts';
import { monotonicMs } from '../protocol/monotonic.ts';
import { AppendFile } from '../rundir/append-file.ts';
import type { HistoryEvent } from '../rundir/history-event.ts';
import { createRunDirectory, type RunLayout } from '../rundir/layout.ts';
import { writeSeriesFile, type SeriesFile } from '../rundir/series-file.ts';
import { RowCapture } from '../runner/row-capture.ts';
import { SeriesInterrupted, type SeriesWatcher } from '../runner/series-options.ts';
import { forkscopeVersion } from '../runner/versions.ts';
import { signsQuery } from './signs-query.ts';
import { TargetEffects } from './target-effects.ts';
import type { TargetOptions } from './target-options.ts';
import { redactedUrl } from './request-template.ts';
import { runTargetTrial, type TargetContext } from './target-trial.ts';

/** A series whose trials are over. */
export interface TargetSeries {
  readonly layout: RunLayout;
  readonly series: SeriesFile;
}

/** Runs the series. *Fails* with SeriesInterrupted when stopped, with OperatorError when the environment fails. */
export async function runTargetSeries(
  options: TargetOptions,
  watcher: SeriesWatcher,
  stop: AbortSignal,
): Promise<TargetSeries> {
  const startedAt = new Date();
  // Before anything is made: a database that cannot be read ends it here.
  const database = await withClient(options.db, async (client) => {
    const tables = await readTableLayout(client, options.schema);
    const { rows } = await client.query<{ version: string }>(
      "SELECT current_setting('server_version') AS version",
    );
    return { version: rows[0]?.version ?? 'unknown', signs: signsQuery(tables) };
  });
  const layout = createRunDirectory(options.out, options.scenario.name, startedAt);
  const seriesId = `${options.scenario.name}-${startedAt.getTime().toString(36)}-${process.pid.toString(36)}`;
  const settings = settingsOf(options, startedAt, database.version);
  writeSeriesFile(layout, { ...settings, phase: 'started', racedMs: null });
  const pool = openPool({
    connectionString: options.db,
    max: 2,
    statement_timeout: 30_000,
    application_name: 'forkscope',
  });
  const history = new AppendFile(layout.history);
  const capture = new RowCapture(options.db, options.schema, layout.rows);
  const effects = new TargetEffects(options.effects, `${seriesId}-`, layout.effects);
  const record = (event: HistoryEvent): void => {
    history.write(event);
  };
  const context: TargetContext = {
    options,
    scenario: options.scenario,
    gate: new StartGate(),
    record,
    signsOf: async (thread) => `${await signs(pool, database.signs, thread)} ${effects.of(thread)}`,
  };
  const began = monotonicMs();
  try {
    watcher.phase(`running ${options.trials} trials`);
    const counts = { finished: 0, aborted: 0 };
    const limit = pLimit(options.parallel);
    const failed = new AbortController();
    const ended = AbortSignal.any([stop, failed.signal]);
    const trials = Array.from({ length: options.trials }, (_, index) => index + 1);
    await Promise.all(
      trials.map((trial) =>
        limit(async () => {
          if (ended.aborted) return;
          try {
            const thread = `${seriesId}-${trial}` as ThreadId;
            const because = await runTargetTrial(context, trial, thread, ended);
            await capture.take(thread);
            const atMs = monotonicMs();
            if (because === null) record({ event: 'completed', trial, atMs });
            else record({ event: 'aborted', trial, reason: because, atMs });
            counts.finished += 1;
            if (because !== null) counts.aborted += 1;
            watcher.progress(counts.finished, options.trials, counts.aborted);
          } catch (error) {
            failed.abort(error);
          }
        }),
      ),
    );
    if (failed.signal.aborted) throw failed.signal.reason as Error;
  } finally {
    await pool.end();
    await capture.close();
    effects.close();
    history.close();
  }
  const series: SeriesFile = {
    ...settings,
    phase: stop.aborted ? 'stopped' : 'raced',
    racedMs: monotonicMs() - began,
  };
  writeSeriesFile(layout, series);
  if (stop.aborted) throw new SeriesInterrupted(layout.folder);
  return { layout, series };
}

async function signs(pool: pg.Pool, query: string, thread: string): Promise<string> {
  const { rows } = await pool.query<{ signs: string }>(query, [thread]);
  return rows[0]?.signs ?? '';
}

function settingsOf(
  options: TargetOptions,
  startedAt: Date,
  postgres: string,
): Omit<SeriesFile, 'phase' | 'racedMs'> {
  const { scenario } = options;
  const unknown = 'unknown';
  return {
    format: 'forkscope-series/1',
    scenario: scenario.name,
    claim: scenario.claim,
    target: { urls: options.urls.map(redactedUrl), schema: options.schema, quietMs: options.quietMs },
    seed: options.seed,
    trials: options.trials,
    parallel: options.parallel,
    workers: options.urls.length,
    durability: null,
    scale: options.scale,
    sameWorker: options.urls.length === 1,
    interval: options.interval,
    startedAt: startedAt.toISOString(),
    versions: {
      forkscope: forkscopeVersion(),
      node: process.versions.node,
      ...{ langgraph: unknown, checkpoint: unknown, saver: unknown, postgres },
    },
    database: 'external',
    counted: [],
    racing: [...scenario.racing],
    compared: [],
    graph: { nodes: [], edges: [], barriers: [], unbounded: [], deferred: [] },
    rules: [],
    arms: [],
  };
}
