/**
 * `--engine sql` and `--print-sql`. Easy to get wrong: with a log, or with rules, every thread has to be looked at, so
 * a database cannot prove any of them ordinary; such a pair is refused and not quietly weakened.
 */
import type { Argv } from 'yargs';
import type { CountRule } from '#analysis/model/invariant.ts';
import { isDsn } from '../source/is-dsn.ts';

/** What the options come to. */
export interface CensusArguments {
  engine: 'copy' | 'sql' | undefined;
  'print-sql': boolean;
}

/** Adds the options. A pair that makes no sense ends with the help and exit code 64. */
export function withCensusOptions<T>(yargs: Argv<T>): Argv<T & CensusArguments> {
  return yargs
    .option('engine', {
      choices: ['copy', 'sql'] as const,
      describe:
        'copy reads every row of a live database; sql lets the database prove ordinary threads ordinary and reads the others only',
      defaultDescription: 'copy',
      group: 'Live database:',
    })
    .option('print-sql', {
      type: 'boolean',
      default: false,
      describe:
        'print what --engine sql asks as a script for psql, for the tables of --schema (public where not given), and connect to nothing',
      group: 'Live database:',
    })
    .check((argv) => checkEngine(argv));
}

interface Checked {
  readonly [option: string]: unknown;
  readonly engine?: unknown;
  readonly source?: unknown;
  readonly rule?: readonly CountRule[] | undefined;
}

/** Options under which threads are chosen otherwise, or under which no thread is ordinary. */
const otherChoices = ['effects', 'ledger', 'rule', 'thread', 'since', 'until', 'limit'] as const;

/** True, or what is wrong. */
export function checkEngine(argv: Checked): true | string {
  if (argv.engine !== 'sql') return true;
  if (typeof argv.source !== 'string' || !isDsn(argv.source)) {
    return '--engine sql asks a live database: name one (postgres://…).';
  }
  const other = otherChoices.find((option) => argv[option] !== undefined);
  if (other !== undefined)
    return `--engine sql looks at all threads and at rows alone: leave --${other} out.`;
  return argv['allThreads'] === true
    ? '--engine sql does not read ordinary threads: leave --all-threads out.'
    : true;
}
