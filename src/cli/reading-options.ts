/**
 * Options that say how a dump is read: with how much memory, and past which faults. Easy to get wrong: 400MB and 400MiB
 * are not the same number, and a bare 400 may be either or bytes, so it is refused.
 */
import { totalmem } from 'node:os';
import type { Argv } from 'yargs';
import type { SourceRequest } from '../source/open-source.ts';

/** What the options come to. */
export interface ReadingArguments {
  /** Bytes. */
  memory: number;
  'keep-going': boolean;
}

/** Adds the options. A value that cannot be read ends with the help and exit code 64. */
export function withReadingOptions<T>(yargs: Argv<T>): Argv<T & ReadingArguments> {
  return yargs
    .option('memory', {
      type: 'string',
      requiresArg: true,
      default: defaultMemoryBytes(totalmem()) as never,
      defaultDescription: 'a quarter of the machine’s memory, at most 1GiB',
      coerce: memoryBytes,
      describe:
        'rows of a dump kept in memory, such as 400MB or 1.5GiB; what is beyond goes to a temporary file. The program itself takes some hundred megabytes more',
      group: 'Reading a dump:',
    })
    .option('keep-going', {
      type: 'boolean',
      default: false,
      describe:
        'read on after damaged rows, a truncated dump or a broken archive, and tell what was left out; the verdict is then unknown at best. Not with --effects or --ledger',
      group: 'Reading a dump:',
    });
}

/**
 * What is wrong with going on past faults, in the form that a check of yargs returns; true: nothing. A record whose row
 * was left out would look unrecorded, and a run whose row was left out vanished: an error that is none.
 */
export function checkKeepGoing(
  keepGoing: boolean,
  { effects, ledger }: { readonly effects?: unknown; readonly ledger?: unknown },
): string | true {
  if (!keepGoing || (effects === undefined && ledger === undefined)) return true;
  const joined = effects === undefined ? '--ledger' : '--effects';
  return `--keep-going cannot be joined with ${joined}: what belongs to a row that was left out would pass for lost.`;
}

/** What the options ask of a source. */
export function readingRequest(argv: {
  readonly memory: number;
  readonly keepGoing: boolean;
}): Required<Pick<SourceRequest, 'reading'>> {
  return { reading: { memoryBytes: argv.memory, keepGoing: argv.keepGoing } };
}

/** A quarter of the machine's memory, at most a gibibyte: the page cache reads the dump with the rest. */
export function defaultMemoryBytes(machineBytes: number): number {
  return Math.min(2 ** 30, Math.floor(machineBytes / 4));
}

/** Less would spill every block for itself. */
const leastBytes = 1e6;

const units: Readonly<Record<string, number>> = {
  kb: 1e3,
  mb: 1e6,
  gb: 1e9,
  tb: 1e12,
  kib: 2 ** 10,
  mib: 2 ** 20,
  gib: 2 ** 30,
  tib: 2 ** 40,
};

/** Bytes of `400MB`, `1.5GB`, `512MiB` in either case; null for what is no size. */
export function sizeBytes(text: string): number | null {
  const [, count = '', unit = ''] = /^(\d{1,9}(?:\.\d{1,3})?) ?([kmgt]i?b)$/i.exec(text) ?? [];
  const factor = units[unit.toLowerCase()];
  return factor === undefined ? null : Math.round(Number(count) * factor);
}

function memoryBytes(value: unknown): number {
  // The default passes through here too, as a number.
  if (typeof value === 'number') return value;
  const bytes = typeof value === 'string' ? sizeBytes(value) : null;
  if (bytes === null || bytes < leastBytes) {
    throw new RangeError('--memory must be one size such as 400MB, 1.5GB or 512MiB, and at least 1MB.');
  }
  return bytes;
}
