/**
 * From what the operator named to a source: a live database, a run directory, a dump or rows in a file or folder, `-`
 * for standard input. Easy to get wrong: a DSN looks like a path, and no message may show its password.
 */
import { existsSync } from 'node:fs';
import { findSuspects } from '../census/suspects.ts';
import type { DumpSource } from '../dump/open-dump.ts';
import { OperatorError } from '../failure/operator-error.ts';
import { openLiveSource } from '../live/live-source.ts';
import type { LiveRequest } from '../live/open-live.ts';
import { liveDefaults, type LiveSettings } from '../live/live-settings.ts';
import { isRunDirectory } from '../rundir/layout.ts';
import { chosenSource } from './chosen-source.ts';
import { openDumpSource, type DumpReading } from './dump-source.ts';
import type { EffectsMap } from './effects-map.ts';
import { readEffectsLog, type EffectsLog } from './effects-log.ts';
import { isDsn } from './is-dsn.ts';
import { openRunSource } from './run-source.ts';
import type { Source, SourceFilter, SurveyedSource } from './source.ts';
import { choosesAll, type ThreadChoice } from './thread-choice.ts';
import { withEffects } from './with-effects.ts';

/** What is to be opened. */
export interface SourceRequest {
  /** A path, a connection string (`postgres://…`), or `-` for standard input. */
  readonly place: string;
  readonly filter: SourceFilter;
  /** A log to join with the rows; null: none. `map` null: recognised. */
  readonly effects: { readonly file: string; readonly map: EffectsMap | null } | null;
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

/** Opens a source. *Cost*: reads rows and a log whole. *Fails* with OperatorError naming file or server, and place. */
export async function openSource(request: SourceRequest): Promise<OpenSource> {
  const { place, filter, effects, reading, choice = chooseAll, note = ignore } = request;
  const chosen = (source: Source): Source =>
    choosesAll(choice) ? source : chosenSource(source, choice, note);
  if (place !== '-' && !isDsn(place) && (isRunDirectory(place) || isLeftRunDirectory(place))) {
    if (effects !== null) throw secondLog(place);
    return { source: chosen(await openRunSource(place, filter)), log: null };
  }
  const log = effects === null ? null : await readEffectsLog(effects.file, effects.map);
  const source = isDsn(place)
    ? await openDatabase(request, choice, log !== null)
    : chosen(await openDumpSource(dumpAt(place), filter, { ...reading, nodes: log !== null }));
  return log === null ? { source, log } : { source: withEffects(source, log, filter), log };
}

const chooseAll: ThreadChoice = { sinceMs: null, untilMs: null, limit: null };
const ignore = (): void => undefined;

async function openDatabase(request: SourceRequest, choice: ThreadChoice, nodes: boolean): Promise<Source> {
  const surveys: SurveyedSource[] = [];
  const choose: LiveRequest['choose'] = async (session, tables) => {
    const suspects = await findSuspects(session, tables);
    surveys.push(suspects.survey);
    return suspects.chosen;
  };
  const source = await openLiveSource({
    ...(request.engine === 'sql' ? { choose } : {}),
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
