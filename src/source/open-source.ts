/**
 * From what the operator named to a source: a live database, a run directory, a dump or rows in a file or folder, `-`
 * for standard input. Easy to get wrong: a DSN looks like a path, and no message may show its password.
 */
import { existsSync } from 'node:fs';
import { findSuspects } from '../census/suspects.ts';
import type { DumpSource } from '../dump/open-dump.ts';
import { OperatorError } from '../failure/operator-error.ts';
import { openLiveSource } from '../live/live-source.ts';
import type { LiveSession } from '../live/live-session.ts';
import type { LiveRequest } from '../live/open-live.ts';
import { liveDefaults, type LiveSettings } from '../live/live-settings.ts';
import { isRunDirectory } from '../rundir/layout.ts';
import { chosenSource } from './chosen-source.ts';
import { openDumpSource, type DumpReading } from './dump-source.ts';
import type { EffectsMap } from './effects-map.ts';
import { readEffectsLog, type EffectsLog } from './effects-log.ts';
import { isDsn } from './is-dsn.ts';
import { newestRow } from './ledger-now.ts';
import type { LedgerDatabase } from './ledger-table.ts';
import { OpenLedgers, type LedgersRequest } from './open-ledgers.ts';
import { openRunSource } from './run-source.ts';
import type { Source, SourceFilter, SurveyedSource } from './source.ts';
import { choosesAll, newestActivity, type ThreadChoice } from './thread-choice.ts';
import { withEffects } from './with-effects.ts';
import { withLedger } from './with-ledger.ts';

/** What is to be opened. */
export interface SourceRequest {
  /** A path, a connection string (`postgres://…`), or `-` for standard input. */
  readonly place: string;
  readonly filter: SourceFilter;
  /** A log to join with the rows; null: none. `map` null: recognised. */
  readonly effects: { readonly file: string; readonly map: EffectsMap | null } | null;
  /** What else is known of its threads; absent or null: nothing. */
  readonly ledgers?: LedgersRequest | null;
  /** How a dump is read; absent: in memory up to a gigabyte, ending at the first fault. */
  readonly reading?: Omit<DumpReading, 'nodes'>;
  /** Threads by their newest activity; absent: all. */
  readonly choice?: ThreadChoice;
  /** `sql`: a live database is asked which of its threads to tell; absent or `copy`: it tells all. */
  readonly engine?: 'copy' | 'sql';
  /** What may be asked of a live database; absent: the defaults. */
  readonly live?: LiveSettings;
  /** Takes what should be known beside the result, a sentence each; absent: nobody wants to know. */
  readonly note?: (sentence: string) => void;
  /** Ends the reading of a live database at once, with its reason. */
  readonly stop?: AbortSignal;
}

/** An opened source and the log that was joined with it. */
export interface OpenSource {
  readonly source: Source;
  /** Null without a log of the operator's. */
  readonly log: EffectsLog | null;
}

/**
 * Opens a source. *Cost*: reads rows, log and ledger whole. *Fails* with OperatorError naming file or server, and place.
 */
export async function openSource(request: SourceRequest): Promise<OpenSource> {
  const { place, filter, effects } = request;
  const isRun = place !== '-' && !isDsn(place) && (isRunDirectory(place) || isLeftRunDirectory(place));
  if (isRun && effects !== null) throw secondLog(place);
  const log = effects === null ? null : await readEffectsLog(effects.file, effects.map);
  const ledgers = request.ledgers == null ? null : await OpenLedgers.open(request.ledgers, isDsn(place));
  const rows = isRun ? await openRun(request, ledgers) : await openRows(request, ledgers, log !== null);
  const source =
    ledgers === null ? rows.source : withLedger(rows.source, ledgers.known(rows.newestMs), filter);
  return log === null ? { source, log } : { source: withEffects(source, log, filter), log };
}

/** A source, and when its newest row was made where that was asked for. */
interface OpenRows {
  readonly source: Source;
  readonly newestMs: number | null;
}

async function openRun(request: SourceRequest, ledgers: OpenLedgers | null): Promise<OpenRows> {
  const { place, filter, choice = chooseAll, note = ignore } = request;
  const source = await openRunSource(place, filter);
  let newestMs: number | null = null;
  if (ledgers?.needsNewestRow === true) {
    for await (const { rows } of (await openRunSource(place, { ...filter, threads: null })).threads()) {
      const madeMs = newestActivity(rows.checkpoints);
      newestMs = madeMs === null ? newestMs : Math.max(madeMs, newestMs ?? madeMs);
    }
  }
  return { source: choosesAll(choice) ? source : chosenSource(source, choice, note), newestMs };
}

async function openRows(
  request: SourceRequest,
  ledgers: OpenLedgers | null,
  hasLog: boolean,
): Promise<OpenRows> {
  const { place, filter, reading, choice = chooseAll, note = ignore } = request;
  const nodes = hasLog || ledgers?.needsAllThreads === true;
  if (isDsn(place)) {
    return { source: await openDatabase(request, choice, nodes, ledgers), newestMs: null };
  }
  const isWhole = nodes || ledgers?.needsNewestRow === true;
  const source = await openDumpSource(dumpAt(place), filter, { ...reading, nodes: isWhole });
  try {
    const newestMs = ledgers?.needsNewestRow === true ? newestRow(source) : null;
    return { source: choosesAll(choice) ? source : chosenSource(source, choice, note), newestMs };
  } catch (error) {
    source.close?.();
    throw error;
  }
}

const chooseAll: ThreadChoice = { sinceMs: null, untilMs: null, limit: null };
const ignore = (): void => undefined;

async function openDatabase(
  request: SourceRequest,
  choice: ThreadChoice,
  nodes: boolean,
  ledgers: OpenLedgers | null,
): Promise<Source> {
  const surveys: SurveyedSource[] = [];
  const choose: LiveRequest['choose'] = async (session, tables) => {
    const suspects = await findSuspects(session, tables);
    surveys.push(suspects.survey);
    return suspects.chosen;
  };
  const source = await openLiveSource({
    ...(request.engine === 'sql' ? { choose } : {}),
    ...(ledgers === null ? {} : { aside: (session) => ledgers.ask(ledgerDatabase(session)) }),
    dsn: request.place,
    filter: request.filter,
    choice,
    reading: { ...request.reading, nodes },
    settings: request.live ?? liveDefaults,
    note: request.note ?? ignore,
    stop: request.stop ?? new AbortController().signal,
  });
  const [survey] = surveys;
  return survey === undefined ? source : { ...source, survey };
}

/** A session whose errors tell that the ledger was being read. */
function ledgerDatabase(session: LiveSession): LedgerDatabase {
  return { query: async (sql, values = []) => ({ rows: await session.query(sql, 'the ledger', values) }) };
}

function dumpAt(place: string): DumpSource {
  return place === '-'
    ? { kind: 'stream', name: 'standard input', bytes: process.stdin }
    : { kind: 'file', path: place };
}

/** A series that died before its settings were written, or a folder whose settings were removed. */
function isLeftRunDirectory(place: string): boolean {
  return existsSync(`${place}/rows.jsonl`) && existsSync(`${place}/history.jsonl`);
}

function secondLog(folder: string): OperatorError {
  return new OperatorError({
    happened: 'a run directory brings its own effect log',
    place: folder,
    remedy: 'Leave --effects out.',
  });
}
