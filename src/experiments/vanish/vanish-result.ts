/** What came of the experiment, as `forkscope-vanish/1`: cells in numbers, the laws they were held against, the verdict. */
import type { IntervalChoice } from '#analysis/statistics/proportion.ts';
import { expectedLosses, type ExpectedLosses } from '#analysis/vanish/expected-losses.ts';
import type { SeriesSettings } from '#src/rundir/series-file.ts';
import { cellName, promisesNoLoss } from '#trials/experiments/vanish.ts';
import type { CountedCell } from './count-cell.ts';

/** How it was run. */
export interface VanishSettings {
  readonly claim: string;
  /** Runs to be accepted in each cell. */
  readonly wanted: number;
  readonly scale: number;
  readonly seed: number;
  readonly startsPerHour: number | null;
  readonly leaseMs: number;
  readonly attemptCap: number;
  readonly interval: IntervalChoice;
  readonly startedAt: string;
  readonly versions: SeriesSettings['versions'];
  readonly database: 'embedded' | 'external';
  readonly folder: string;
}

/** A law, and the cells that broke it. */
export interface Law {
  readonly law: string;
  readonly brokenBy: readonly string[];
}

/** Everything that came out. */
export interface VanishResult {
  readonly settings: VanishSettings;
  readonly cells: readonly CountedCell[];
  readonly laws: readonly Law[];
  /** `unknown`: a cell has no accepted run, so nothing was put to the test there. */
  readonly verdict: 'valid' | 'invalid' | 'unknown';
  /** The command that audits what was left; null where none can be typed. */
  readonly command: string | null;
}

const lawsOfCells: readonly { readonly law: string; readonly holds: (cell: CountedCell) => boolean }[] = [
  {
    law: 'every accepted run has one ledger row and one fate',
    holds: ({ notOnce, fates, accepted }) =>
      notOnce.length === 0 && [...fates.values()].reduce((sum, count) => sum + count, 0) === accepted,
  },
  {
    law: 'no run that the ledger calls succeeded is unfinished in the rows',
    holds: ({ fates }) => (fates.get('contradicted') ?? 0) === 0,
  },
  {
    law: 'an audit of rows and ledger calls the same accepted runs vanished',
    holds: ({ auditDiffers }) => auditDiffers.length === 0,
  },
  {
    law: 'none vanishes where nothing happens, where the worker drains, or where a row was read back first',
    holds: ({ cell, fates }) => !promisesNoLoss(cell) || (fates.get('vanished') ?? 0) === 0,
  },
  {
    law: 'after the reaper every accepted run has succeeded or is quarantined',
    holds: ({ after }) => (after?.other ?? 0) === 0,
  },
  {
    law: 'only orders that end their worker are quarantined',
    holds: ({ cell, after, kills }) => (after?.quarantined ?? 0) <= (cell.fault === 'memory' ? kills : 0),
  },
];

/** Holds the cells against the laws. */
export function judgeVanish(cells: readonly CountedCell[]): Pick<VanishResult, 'laws' | 'verdict'> {
  const laws = lawsOfCells.map(({ law, holds }) => ({
    law,
    brokenBy: cells.filter((cell) => !holds(cell)).map(({ cell }) => cellName(cell)),
  }));
  if (laws.some(({ brokenBy }) => brokenBy.length > 0)) return { laws, verdict: 'invalid' };
  const isTested = cells.every(({ accepted, refused, posted }) => accepted > 0 || refused === posted);
  return { laws, verdict: isTested ? 'valid' : 'unknown' };
}

/** Runs lost by ending every worker once; null where nobody said how many start, or the cell was not killed. */
export function lossesOf(cell: CountedCell, startsPerHour: number | null): ExpectedLosses | null {
  if (startsPerHour === null || cell.vanished === null || cell.kills === 0) return null;
  return expectedLosses(cell.vanished, cell.spanMs, startsPerHour);
}

/** `forkscope-vanish/1`. */
export function vanishJson({ settings, cells, laws, verdict, command }: VanishResult): unknown {
  return {
    format: 'forkscope-vanish/1',
    ...settings,
    verdict,
    laws,
    command,
    cells: cells.map(({ cell, fates, ...rest }) => ({
      ...cell,
      ...rest,
      fates: Object.fromEntries(fates),
      expectedLosses: lossesOf({ cell, fates, ...rest }, settings.startsPerHour),
    })),
  };
}
