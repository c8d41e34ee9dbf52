/**
 * A ledger of runs, by thread: small beside the rows, so it is held in memory. Easy to get wrong: a ledger may be a log
 * that says something new of one run line after line; its last word counts, its first time and its greatest count.
 */
import { getOrMake } from '#analysis/model/maps.ts';
import type { ThreadId } from '#analysis/model/identifiers.ts';
import type { LedgerRun } from '#analysis/model/ledger.ts';
import { OperatorError } from '../failure/operator-error.ts';
import type { FieldMap } from './field-map.ts';
import { ledgerMapOption, neededKeys, type LedgerKey, type LedgerMap } from './ledger-map.ts';
import { ledgerPhase, type StatusWords } from './ledger-status.ts';
import { logRecords, type LogRecord } from './log-records.ts';
import { fieldList, MappedFields, mappedValue, requireFields } from './mapped-fields.ts';

/** How a ledger is to be read. */
export interface LedgerReading {
  readonly map: LedgerMap;
  /** The operator's own words for a status. */
  readonly words: StatusWords;
}

/** A ledger, read. */
export interface Ledger {
  /** What messages call it: a file, or a table. */
  readonly name: string;
  /** The fields that it has, of those that were looked for. */
  readonly fields: FieldMap<LedgerKey>;
  readonly byThread: ReadonlyMap<ThreadId, readonly LedgerRun[]>;
  /** How many runs the threads have. */
  readonly runs: number;
  /** Records of runs without a thread, of which rows can tell nothing. */
  readonly threadless: number;
  /** Words of a status that are not known, and how many runs have them now. */
  readonly unknownWords: ReadonlyMap<string, number>;
  /** When the oldest and the newest thing happened that it tells of, Unix milliseconds; null: it tells no time. */
  readonly oldestMs: number | null;
  readonly newestMs: number | null;
}

/** Reads a ledger from JSON lines or CSV; `-` is standard input. *Fails* with OperatorError naming file and line. */
export async function readLedgerFile(file: string, { map, words }: LedgerReading): Promise<Ledger> {
  const ledger = new LedgerRecords(file === '-' ? 'standard input' : file, map, words);
  for await (const record of logRecords(file)) ledger.add(record);
  return ledger.end();
}

/** Takes records one by one. *Cost*: memory for each run once. */
export class LedgerRecords {
  readonly #name: string;
  readonly #map: LedgerMap;
  readonly #words: StatusWords;
  readonly #byThread = new Map<ThreadId, Map<string, LedgerRun>>();
  readonly #seen = new Set<string>();
  readonly #missing: Set<string>;
  #records = 0;
  #threadless = 0;

  constructor(name: string, map: LedgerMap, words: StatusWords) {
    this.#name = name;
    this.#map = map;
    this.#words = words;
    this.#missing = new Set(map.fields.values());
  }

  /** Says which fields records have before the first one. *Fails* with OperatorError where one that is needed is not. */
  declare(fields: Iterable<string>): void {
    for (const field of fields) {
      this.#seen.add(field);
      this.#missing.delete(field);
    }
    this.#require([...neededKeys, ...this.#map.given]);
  }

  /** Takes a record. *Fails* with OperatorError that names its place, and never quotes a value. */
  add(record: LogRecord): void {
    for (const field of record.fields.keys()) this.#seen.add(field);
    for (const field of this.#missing)
      if (mappedValue(record, field) !== undefined) this.#missing.delete(field);
    if (this.#records === 0) this.#require(neededKeys);
    this.#records += 1;
    const read = new MappedFields(record, this.#map.fields, { what: 'run', option: ledgerMapOption });
    const run = read.needed('run', 'not empty');
    const thread = read.text('thread') as ThreadId | null;
    if (thread === null) {
      this.#threadless += 1;
      return;
    }
    const status = read.text('status');
    const told: LedgerRun = {
      run,
      thread,
      phase: ledgerPhase(status, this.#words),
      status,
      createdMs: read.time('created'),
      heartbeatMs: read.time('heartbeat'),
      attempts: read.number('attempts'),
    };
    const runs = getOrMake(this.#byThread, thread, () => new Map<string, LedgerRun>());
    const before = runs.get(run);
    runs.set(run, before === undefined ? told : lastWord(before, told));
  }

  /** The ledger. *Fails* with OperatorError for a field that the operator named and no record has. */
  end(): Ledger {
    if (this.#records > 0) this.#require([...this.#map.given]);
    const byThread = new Map<ThreadId, readonly LedgerRun[]>();
    const unknownWords = new Map<string, number>();
    let runs = 0;
    let oldest = Infinity;
    let newest = -Infinity;
    for (const [thread, known] of this.#byThread) {
      const list = [...known.values()];
      byThread.set(thread, list);
      runs += list.length;
      for (const { phase, status, createdMs, heartbeatMs } of list) {
        if (phase === 'unknown' && status !== null)
          unknownWords.set(status, (unknownWords.get(status) ?? 0) + 1);
        oldest = Math.min(oldest, createdMs ?? Infinity);
        newest = Math.max(newest, createdMs ?? -Infinity, heartbeatMs ?? -Infinity);
      }
    }
    return {
      name: this.#name,
      fields: new Map([...this.#map.fields].filter(([, field]) => !this.#missing.has(field))),
      byThread,
      runs,
      threadless: this.#threadless,
      unknownWords,
      oldestMs: oldest === Infinity ? null : oldest,
      newestMs: newest === -Infinity ? null : newest,
    };
  }

  #require(keys: readonly LedgerKey[]): void {
    const { fields, given } = this.#map;
    requireFields(
      this.#name,
      ledgerMapOption,
      new Map([...fields].filter(([key]) => given.has(key))),
      this.#missing,
      this.#seen,
      keys,
    );
    const absent = keys.find((key) => this.#missing.has(fields.get(key) ?? key));
    if (absent === undefined) return;
    throw new OperatorError({
      happened: `the ledger's ${absent} is not known: it has no field ${fields.get(absent) ?? absent}`,
      place: this.#name,
      expected: `its ${absent} in one of ${fieldList(this.#seen)}`,
      remedy: `Say in which, such as ${ledgerMapOption} run=id,thread=session_id.`,
    });
  }
}

/** A run told of twice: the later status, the earlier beginning, the latest sign of life. */
function lastWord(before: LedgerRun, later: LedgerRun): LedgerRun {
  const said = later.status === null ? before : later;
  return {
    ...later,
    phase: said.phase,
    status: said.status,
    createdMs: either(Math.min, before.createdMs, later.createdMs),
    heartbeatMs: either(Math.max, before.heartbeatMs, later.heartbeatMs),
    attempts: either(Math.max, before.attempts, later.attempts),
  };
}

function either(
  choose: (one: number, other: number) => number,
  one: number | null,
  other: number | null,
): number | null {
  return one === null || other === null ? (one ?? other) : choose(one, other);
}
