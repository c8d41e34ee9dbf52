/**
 * Options that say what is known of threads beside their rows: a ledger of runs, who is at work, where the graph stops,
 * and which moment is now. Easy to get wrong: no --breakpoints at all means that nobody said where the graph stops, and
 * `--breakpoints=` that it stops nowhere.
 */
import type { Argv } from 'yargs';
import type { NodeName } from '#analysis/model/identifiers.ts';
import { defaultLimits, type LedgerLimits } from '#analysis/model/ledger.ts';
import { isDsn } from '../source/is-dsn.ts';
import { parseTableName, type LedgerTableName } from '../source/ledger-table.ts';
import { ledgerKeys, parseLedgerMap, usualFields, type LedgerMap } from '../source/ledger-map.ts';
import { namedPhases, parseStatusWords, type StatusWords } from '../source/ledger-status.ts';
import type { LedgersRequest } from '../source/open-ledgers.ts';
import { durationMs, moment } from './live-options.ts';
import { integerFrom } from './option-value.ts';
import { many, one } from './source-options.ts';

/** Where a ledger is. */
export type LedgerPlace =
  | { readonly kind: 'file'; readonly file: string }
  | { readonly kind: 'table'; readonly table: LedgerTableName };

/** What the options come to. */
export interface LedgerArguments {
  ledger: LedgerPlace | undefined;
  'ledger-map': LedgerMap | undefined;
  'ledger-status': StatusWords | undefined;
  'vanish-after': number;
  'stall-after': number;
  'attempt-cap': number;
  active: string | undefined;
  breakpoints: readonly NodeName[] | undefined;
  'min-age': number | undefined;
  'as-of': number | undefined;
}

const ledger = 'Run ledger:';
const standing = 'Where threads stand:';

/** Adds the options. A value that cannot be read ends with the help and exit code 64. */
export function withLedgerOptions<T>(yargs: Argv<T>): Argv<T & LedgerArguments> {
  return yargs
    .option('ledger', {
      type: 'string',
      requiresArg: true,
      coerce: (value: unknown): LedgerPlace | undefined => (value === undefined ? undefined : placeOf(value)),
      describe:
        'a ledger of accepted runs: JSON lines or CSV, gzipped or not, - for standard input; or table:NAME, table:SCHEMA.NAME of the audited database, read in the same transaction',
      group: ledger,
    })
    .option('ledger-map', {
      type: 'string',
      requiresArg: true,
      coerce: (value: unknown): LedgerMap | undefined =>
        value === undefined ? undefined : parseLedgerMap(many(value)),
      implies: 'ledger',
      describe: `which field of the ledger says what: key=field,key=field. Keys: ${ledgerKeys.join(', ')}`,
      defaultDescription: ledgerKeys.map((key) => `${key}=${usualFields[key]}`).join(','),
      group: ledger,
    })
    .option('ledger-status', {
      type: 'string',
      requiresArg: true,
      coerce: (value: unknown): StatusWords | undefined =>
        value === undefined ? undefined : parseStatusWords(many(value)),
      implies: 'ledger',
      describe: `what the ledger's own words for a status mean, where they are not the usual ones: WORD=meaning,WORD=meaning. Meanings: ${namedPhases.join(', ')}`,
      group: ledger,
    })
    .option('vanish-after', {
      type: 'string',
      requiresArg: true,
      default: '60s' as never,
      coerce: duration('--vanish-after'),
      describe: 'how long an accepted run may be without a checkpoint',
      group: ledger,
    })
    .option('stall-after', {
      type: 'string',
      requiresArg: true,
      default: '15m' as never,
      coerce: duration('--stall-after'),
      describe: 'how long a running one may be without heartbeat and new rows',
      group: ledger,
    })
    .option('attempt-cap', {
      type: 'number',
      requiresArg: true,
      default: defaultLimits.attemptCap,
      coerce: integerFrom(1, '--attempt-cap'),
      describe: 'how many attempts are the last',
      group: ledger,
    })
    .option('active', {
      type: 'string',
      requiresArg: true,
      coerce: (value: unknown): string | undefined =>
        value === undefined ? undefined : one('--active', value),
      describe:
        'the threads that are held now: one id a line, or leases as CSV or JSON lines with thread and perhaps expires_at; - is standard input',
      group: standing,
    })
    .option('breakpoints', {
      type: 'string',
      coerce: (value: unknown): readonly NodeName[] | undefined =>
        value === undefined ? undefined : nodesOf(many(value)),
      describe:
        'nodes before or after which the graph is made to stop (interrupt_before, interrupt_after), such as review,send; * is every node, and --breakpoints= none',
      group: standing,
    })
    .option('min-age', {
      type: 'string',
      requiresArg: true,
      coerce: (value: unknown): number | undefined =>
        value === undefined ? undefined : duration('--min-age')(value),
      describe: 'threads that moved later than so long ago may be running and are not called abandoned',
      group: standing,
    })
    .option('as-of', {
      type: 'string',
      requiresArg: true,
      coerce: moment('--as-of'),
      describe: 'the moment that all this is counted to: an ISO 8601 time, or 2h for two hours ago',
      defaultDescription:
        'now for a live database, by its own clock; else the newest time in rows and ledger',
      group: standing,
    })
    .check((argv) => checkLedger(argv));
}

interface Checked {
  readonly source?: unknown;
  readonly effects?: string | undefined;
  readonly ledger?: LedgerPlace | undefined;
  readonly active?: string | undefined;
}

/** True, or what is wrong. */
export function checkLedger(argv: Checked): true | string {
  const { source, effects, ledger: place, active } = argv;
  if (place?.kind === 'table' && (typeof source !== 'string' || !isDsn(source))) {
    return '--ledger table:… is a table of a live database: name one (postgres://…), or give a file.';
  }
  const file = place?.kind === 'file' ? place.file : undefined;
  // yargs hands a positional - over as an empty text.
  const inputs = [source === '' ? '-' : source, effects, file, active].filter((input) => input === '-');
  return inputs.length < 2 ? true : 'Only one of source, --effects, --ledger and --active can be -.';
}

/** What the options ask; null where they ask nothing. */
export function ledgersRequest(argv: {
  readonly ledger?: LedgerPlace | undefined;
  readonly ledgerMap?: LedgerMap | undefined;
  readonly ledgerStatus?: StatusWords | undefined;
  readonly vanishAfter: number;
  readonly stallAfter: number;
  readonly attemptCap: number;
  readonly active?: string | undefined;
  readonly breakpoints?: readonly NodeName[] | undefined;
  readonly minAge?: number | undefined;
  readonly asOf?: number | undefined;
}): LedgersRequest | null {
  const { active, breakpoints, minAge, asOf } = argv;
  if ([argv.ledger, active, breakpoints, minAge].every((given) => given === undefined)) return null;
  const limits: LedgerLimits = {
    vanishAfterMs: argv.vanishAfter,
    stallAfterMs: argv.stallAfter,
    attemptCap: argv.attemptCap,
  };
  const reading = { map: argv.ledgerMap ?? parseLedgerMap([]), words: argv.ledgerStatus ?? new Map() };
  return {
    ledger: argv.ledger === undefined ? null : { ...argv.ledger, ...reading },
    active: active ?? null,
    asOfMs: asOf ?? null,
    questions: { limits, breakpoints: breakpoints ?? null, minAgeMs: minAge ?? null },
  };
}

const tablePrefix = 'table:';

function placeOf(value: unknown): LedgerPlace {
  const text = one('--ledger', value);
  if (!text.startsWith(tablePrefix)) return { kind: 'file', file: text };
  const table = parseTableName(text.slice(tablePrefix.length));
  if (table !== null) return { kind: 'table', table };
  throw new RangeError('--ledger table:… must name a table, such as table:runs or table:app.runs.');
}

function nodesOf(texts: readonly string[]): readonly NodeName[] {
  const names = texts.flatMap((text) => text.split(',')).map((name) => name.trim());
  return names.filter((name) => name !== '') as NodeName[];
}

function duration(option: string): (value: unknown) => number {
  return (value) => {
    const text = one(option, value);
    const ms = text === '0' ? 0 : durationMs(text);
    if (ms === null) throw new RangeError(`${option} must be such as 30s, 15m, 2h, or 0.`);
    return ms;
  };
}
