/**
 * Which field of a ledger says what. Easy to get wrong: a ledger has usual names for its columns, so a mapping that names
 * some of them leaves the others as they are.
 */
import { parseFieldMap, type FieldMap } from './field-map.ts';

/** The option that maps a ledger's fields. */
export const ledgerMapOption = '--ledger-map';

/** What a field can say. */
export const ledgerKeys = ['run', 'thread', 'status', 'created', 'heartbeat', 'attempts'] as const;
/** One of {@link ledgerKeys}. */
export type LedgerKey = (typeof ledgerKeys)[number];

/** What is meant where the operator does not say otherwise. */
export const usualFields: Readonly<Record<LedgerKey, string>> = {
  run: 'run_id',
  thread: 'thread_id',
  status: 'status',
  created: 'created_at',
  heartbeat: 'heartbeat_at',
  attempts: 'attempts',
};

/** A ledger without these says nothing of a thread. */
export const neededKeys: readonly LedgerKey[] = ['run', 'thread'];

/** Where each key is looked for, and which of them the operator named. */
export interface LedgerMap {
  readonly fields: FieldMap<LedgerKey>;
  readonly given: ReadonlySet<LedgerKey>;
}

/** Reads `key=field,key=field`, given any number of times. *Fails* with RangeError whose message says what to write. */
export function parseLedgerMap(texts: readonly string[]): LedgerMap {
  const given = parseFieldMap(ledgerMapOption, ledgerKeys, texts);
  const fields = new Map(ledgerKeys.map((key) => [key, given.get(key) ?? usualFields[key]]));
  return { fields, given: new Set(given.keys()) };
}
