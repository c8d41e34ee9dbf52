/**
 * Options that choose threads by time, and those that say what may be asked of a live database. Easy to get wrong: a
 * duration is counted back from now, a date is midnight in UTC, and neither may silently become the other.
 */
import type { Argv } from 'yargs';
import { liveDefaults } from '../live/live-settings.ts';
import { effectTimeMs } from '../source/effect-time.ts';
import type { SourceRequest } from '../source/open-source.ts';
import { integerFrom } from './option-value.ts';

/** What the options come to. */
export interface LiveArguments {
  since: number | undefined;
  until: number | undefined;
  limit: number | undefined;
  connections: number;
  'statement-timeout': number;
  'lock-timeout': number;
  'idle-timeout': number;
}

const database = 'Live database:';

/** Adds the options. A value that cannot be read ends with the help and exit code 64. */
export function withLiveOptions<T>(yargs: Argv<T>): Argv<T & LiveArguments> {
  return yargs
    .option('since', {
      type: 'string',
      requiresArg: true,
      coerce: moment('--since'),
      describe:
        'only threads whose newest checkpoint is from then or later: 7d, 24h, 30m ago, or an ISO 8601 time (UTC unless it says otherwise)',
      group: 'Filter:',
    })
    .option('until', {
      type: 'string',
      requiresArg: true,
      coerce: moment('--until'),
      describe: 'only threads whose newest checkpoint is from before then; as --since',
      group: 'Filter:',
    })
    .option('limit', {
      type: 'number',
      requiresArg: true,
      coerce: (value: unknown): number | undefined =>
        value === undefined ? undefined : integerFrom(1, '--limit')(value),
      describe: 'only so many threads: those with the newest checkpoints',
      group: 'Filter:',
    })
    .option('connections', {
      type: 'number',
      requiresArg: true,
      default: liveDefaults.connections,
      coerce: integerFrom(1, '--connections'),
      describe: 'connections that share one snapshot of the database',
      group: database,
    })
    .option('statement-timeout', {
      type: 'string',
      requiresArg: true,
      default: '1h' as never,
      coerce: duration('--statement-timeout'),
      describe: 'for the reading of one table or a range of it; 0 is none',
      group: database,
    })
    .option('lock-timeout', {
      type: 'string',
      requiresArg: true,
      default: '5s' as never,
      coerce: duration('--lock-timeout'),
      describe: 'for a table that a schema change has locked; 0 is none',
      group: database,
    })
    .option('idle-timeout', {
      type: 'string',
      requiresArg: true,
      default: '5m' as never,
      coerce: duration('--idle-timeout'),
      describe: 'after which the server ends the transaction of a process that hangs; 0 is never',
      group: database,
    });
}

/** What the options ask of a source. */
export function liveRequest(argv: {
  readonly since?: number | undefined;
  readonly until?: number | undefined;
  readonly limit?: number | undefined;
  readonly connections: number;
  readonly statementTimeout: number;
  readonly lockTimeout: number;
  readonly idleTimeout: number;
}): Required<Pick<SourceRequest, 'choice' | 'live'>> {
  return {
    choice: { sinceMs: argv.since ?? null, untilMs: argv.until ?? null, limit: argv.limit ?? null },
    live: {
      ...liveDefaults,
      connections: argv.connections,
      statementTimeoutMs: argv.statementTimeout,
      lockTimeoutMs: argv.lockTimeout,
      idleTimeoutMs: argv.idleTimeout,
    },
  };
}

const unitsMs: Readonly<Record<string, number>> = { s: 1e3, m: 60e3, h: 3_600e3, d: 86_400e3, w: 604_800e3 };

/** Milliseconds of `90s`, `15m`, `24h`, `7d`, `2w`; null for what is no duration. */
export function durationMs(text: string): number | null {
  const [, count = '', unit = ''] = /^(\d{1,9}(?:\.\d{1,3})?)([smhdw])$/.exec(text) ?? [];
  return unit === '' ? null : Number(count) * (unitsMs[unit] ?? Number.NaN);
}

/** Postgres counts timeouts in a 32-bit integer of milliseconds. */
const longestTimeoutMs = 2 ** 31 - 1;

function duration(option: string): (value: string) => number {
  return (value) => {
    const ms = value === '0' ? 0 : durationMs(value);
    if (ms === null || ms > longestTimeoutMs)
      throw new RangeError(`${option} must be such as 30s, 15m, 1h, or 0; at most 24d.`);
    return Math.round(ms);
  };
}

/** Reads a time, or how long ago it was. */
export function moment(
  option: string,
): (value: string | readonly string[] | undefined) => number | undefined {
  return (value) => {
    if (value === undefined) return undefined;
    if (typeof value !== 'string') throw new RangeError(`${option} may be given once.`);
    const text = value;
    const ago = durationMs(text);
    const time =
      ago === null
        ? effectTimeMs(/^\d{4}-\d{2}-\d{2}$/.test(text) ? `${text}T00:00` : text)
        : Date.now() - ago;
    if (time === null)
      throw new RangeError(
        `${option} must be a duration such as 7d or 24h, or a time such as 2026-11-30 or 2026-11-30T18:00Z.`,
      );
    return time;
  };
}
