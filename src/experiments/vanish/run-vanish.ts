/**
 * The experiment `vanish` from nothing to its result: a database, a proxy before it, services that are started, posted to
 * and ended, a reaper, then one audit of what was left. Whatever happens, no process and no server stays.
 */
import { join, resolve } from 'node:path';
import { Chance } from '#src/chance.ts';
import { formatDsn, parseDsn } from '#src/postgres/dsn.ts';
import { openPool } from '#src/postgres/open-pool.ts';
import { seriesDsn } from '#src/postgres/series-connection.ts';
import { startWatchdog } from '#src/postgres/watchdog.ts';
import { invariant } from '#analysis/model/bug.ts';
import { shellWord } from '#src/report/shell-word.ts';
import { AppendFile } from '#src/rundir/append-file.ts';
import { createRunDirectory, replaceFile } from '#src/rundir/layout.ts';
import { guardProcess, openDatabase } from '#src/runner/database.ts';
import { Releasers } from '#src/runner/releasers.ts';
import { SeriesInterrupted } from '#src/runner/series-options.ts';
import { seriesVersions } from '#src/runner/versions.ts';
import { startTcpProxy, type TcpProxy } from '#src/services/tcp-proxy/tcp-proxy.ts';
import { readEffectsLog } from '#src/source/effects-log.ts';
import { durabilities } from '#trials/scenario.ts';
import { vanishCells, vanishClaim, vanishFaults, type VanishCell } from '#trials/experiments/vanish.ts';
import type { RunExperiment } from '../experiment.ts';
import { countCell } from './count-cell.ts';
import { orderDelaysMs } from './order-graph.ts';
import {
  calibrate,
  runCell,
  type CellContext,
  type CellTiming,
  type SeenCell,
  type TimedBatch,
} from './run-cell.ts';
import { createLedger } from './run-ledger.ts';
import { ServiceProcess } from './service-process.ts';
import { ServiceSupply } from './service-supply.ts';
import { readStandings, vanishAfterMs } from './standings.ts';
import { judgeVanish, vanishJson, type VanishResult } from './vanish-result.ts';
import { vanishText } from './vanish-text.ts';

/** Accepted runs of each cell unless told otherwise. */
const defaultWanted = 20;
/** Multiplies delays unless told otherwise: so that twenty runs within one run's length leave processors free. */
const defaultScale = 0.2;
/** Services loaded together unless told otherwise. */
const defaultTogether = 4;
/** Six heartbeats. */
const leaseMs = 600;
const heartbeatMs = 100;
const limits = { shortMs: 300, longMs: leaseMs, attemptCap: 3 } as const;

const exitCodes = { valid: 0, invalid: 1, unknown: 2 } as const;

/** See the file's head. `trials` is the number of accepted runs of each cell. */
export const runVanish: RunExperiment = async (options, watcher, stop) => {
  const scale = options.scale ?? defaultScale;
  const wanted = options.trials ?? defaultWanted;
  const startedAt = new Date();
  const layout = createRunDirectory(options.out, 'vanish', startedAt);
  const releasers = new Releasers();
  try {
    const watchdog = startWatchdog();
    releasers.add('the watchdog', () => watchdog.close());
    watcher.phase('starting the database');
    const prefix = `vanish-${startedAt.getTime().toString(36)}-${process.pid.toString(36)}`;
    const { db, keepDb } = options;
    const { server, schema } = await openDatabase({ db, keepDb, seriesId: prefix, watchdog, releasers });
    const dsn = seriesDsn(server.localDsn, schema);
    const pool = openPool({ connectionString: dsn, max: 1 });
    releasers.add('the pool', () => pool.end());
    await createLedger(pool, schema);
    const proxy = await startTcpProxy({ target: targetOf(server.dsn) });
    releasers.add('the proxy', () => proxy.close());
    const services: ServiceProcess[] = [];
    releasers.add('the services', async () => {
      await Promise.all(services.map((service) => service.kill()));
    });
    const effectsFile = resolve(layout.effects);
    const rows = new AppendFile(layout.rows);
    const ledgerFile = join(layout.folder, 'ledger.jsonl');
    const ledger = new AppendFile(ledgerFile);
    const signal = AbortSignal.any([stop, server.lost]);
    const context: CellContext = {
      ...{ pool, schema, proxy, wanted, limits, rows, ledger, signal },
      supply: new ServiceSupply(options.workers ?? defaultTogether, (number) => {
        const service = new ServiceProcess(`service-${number}`, layout.workers, (pid) => {
          guardProcess(watchdog, pid, watcher.warn);
        });
        services.push(service);
        return service;
      }),
      configure: (service, { durability, answer, fault }) =>
        service.configure({
          ...{ dsn, schema, durability, answer, leaseMs, heartbeatMs, effectsFile, scale },
          saverDsn: fault === 'cut' ? seriesDsn(throughProxy(server.dsn, proxy), schema) : dsn,
          saverSchema: fault === 'no-table' ? `${schema}_absent` : schema,
          onSigterm: fault === 'drain' ? 'drain' : 'close',
        }),
      chance: new Chance(options.seed, 0),
    };
    const cellsToRun = vanishCells(
      options.durability === null ? durabilities : [options.durability],
      new Set(options.arms ?? vanishFaults),
    );
    const seen = await runCells(context, cellsToRun, prefix, scale, watcher);
    rows.close();
    ledger.close();
    watcher.phase('auditing what was left');
    const asOfMs = Date.now() + 24 * 3_600_000;
    const standings = await readStandings(layout.rows, ledgerFile, asOfMs);
    const { byThread } = await readEffectsLog(effectsFile, null);
    const cells = seen.map((cell) => countCell(cell, standings, byThread, options.interval));
    const result: VanishResult = {
      settings: {
        claim: vanishClaim,
        ...{ wanted, leaseMs, attemptCap: limits.attemptCap },
        scale,
        seed: options.seed,
        startsPerHour: options.startsPerHour,
        interval: options.interval,
        startedAt: startedAt.toISOString(),
        versions: seriesVersions(server.serverVersion),
        database: server.kind,
        folder: layout.folder,
      },
      cells,
      ...judgeVanish(cells),
      command: auditCommand(layout.rows, ledgerFile, asOfMs),
    };
    const json = vanishJson(result);
    replaceFile(join(layout.folder, 'vanish.json'), `${JSON.stringify(json, null, 2)}\n`);
    return { text: vanishText(result, options.palette), json, exitCode: exitCodes[result.verdict] };
  } catch (error) {
    throw stop.aborted ? new SeriesInterrupted(layout.folder) : error;
  } finally {
    await releasers.releaseAll();
  }
};

async function runCells(
  context: CellContext,
  cells: readonly VanishCell[],
  prefix: string,
  scale: number,
  watcher: Parameters<RunExperiment>[1],
): Promise<readonly SeenCell[]> {
  watcher.phase(`${cells.length} cells of ${context.wanted} runs`);
  const expectedMs = Object.values(orderDelaysMs).reduce((sum, ms) => sum + ms, 0) * scale;
  const seen: SeenCell[] = [];
  let timing: CellTiming = { spanMs: expectedMs, leadMs: 0 };
  for (const [index, cell] of cells.entries()) {
    watcher.progress(index, cells.length, 0);
    const cellPrefix = `${prefix}-c${String(index + 1).padStart(2, '0')}`;
    if (cell.fault === 'none') {
      const guess = { spanMs: expectedMs, leadMs: 0 };
      timing = await calibrate(context, cell, `times-${cellPrefix}`, guess, (timed) =>
        timingOf(timed, expectedMs),
      );
    }
    seen.push(await runCell(context, cell, cellPrefix, timing));
  }
  watcher.progress(cells.length, cells.length, 0);
  return seen;
}

/** Ages up to a little more than a run takes, so that some runs have ended; and how long an answer takes. */
function timingOf({ heard, batch: { posted } }: TimedBatch, expectedMs: number): CellTiming {
  const leads = posted.map(({ postedMs, atMs }) => atMs - postedMs);
  const lengths = posted.flatMap(({ order, postedMs }) => {
    const overMs = heard.get(order.run)?.overMs;
    return overMs == null ? [] : [overMs - postedMs];
  });
  return { spanMs: 1.1 * (median(lengths) ?? expectedMs), leadMs: median(leads) ?? 0 };
}

function median(values: readonly number[]): number | null {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? null;
}

function targetOf(dsn: string): { readonly host: string; readonly port: number } {
  const parsed = parseDsn(dsn);
  invariant(parsed !== null, 'connection strings are checked where they enter the program');
  return { host: parsed.host ?? '127.0.0.1', port: Number(parsed.port ?? '5432') };
}

function throughProxy(dsn: string, { host, port }: TcpProxy): string {
  const parsed = parseDsn(dsn);
  invariant(parsed !== null, 'connection strings are checked where they enter the program');
  return formatDsn({ ...parsed, host, port: String(port) });
}

function auditCommand(rows: string, ledger: string, asOfMs: number): string | null {
  const [rowsWord, ledgerWord] = [shellWord(rows), shellWord(ledger)];
  if (rowsWord === null || ledgerWord === null) return null;
  const asOf = new Date(asOfMs).toISOString();
  return `forkscope audit ${rowsWord} --ledger ${ledgerWord} --vanish-after ${vanishAfterMs / 1000}s --as-of ${asOf}`;
}
