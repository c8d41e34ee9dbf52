/**
 * Stored series side by side or pooled: read from their run directories, analysed anew, and compared by anomalies. Easy
 * to get wrong: many comparisons find a difference by chance, so p values are adjusted over all of them.
 */
import type { Anomaly, MatrixRow } from '#analysis/comparison/arm-matrix.ts';
import { matrixRows } from '#analysis/comparison/arm-matrix.ts';
import { poolArms } from '#analysis/comparison/pool-arms.ts';
import type { ArmSummary } from '#analysis/model/trial.ts';
import { holm } from '#analysis/statistics/holm.ts';
import type { IntervalChoice } from '#analysis/statistics/proportion.ts';
import { readSettings, type SeriesSettings } from '../rundir/series-file.ts';
import { analyseSeries } from '../runner/series-analysis.ts';
import { unlikeSettings, type Unlike } from './series-likeness.ts';

/** `arm`: trials of one arm are pooled over the series. `run`: each series stands for itself. */
export type ComparedBy = 'arm' | 'run';

/** A row of the comparison, with p values adjusted by Holm's method over all of it. */
export interface ComparedRow extends MatrixRow {
  readonly trials: number;
  readonly completed: number;
  readonly aborted: number;
  readonly adjusted: ReadonlyMap<string, number>;
}

/** How the series compare. */
export interface SeriesComparison {
  readonly folders: readonly string[];
  readonly by: ComparedBy;
  readonly interval: IntervalChoice;
  /** Settings in which the series differ. */
  readonly unlike: readonly Unlike[];
  readonly anomalies: readonly string[];
  /** The first is what the others are compared with. */
  readonly rows: readonly ComparedRow[];
}

/** What is compared where a scenario names nothing itself. */
const usualAnomalies: readonly Anomaly[] = [
  { name: 'fork', outcomes: ['undeclaredForks'], whenAbsent: 'not-measured' },
  { name: 'state overwritten', outcomes: ['misreadLeaves'], whenAbsent: 'not-measured' },
  { name: 'done again', outcomes: ['repeatedCharges', 'duplicates'], whenAbsent: 'not-measured' },
  { name: 'zombie', outcomes: ['zombies'], whenAbsent: 'not-measured' },
];

interface Stored {
  readonly folder: string;
  readonly settings: SeriesSettings;
  readonly arms: readonly ArmSummary[];
}

/** The settings in which stored series differ. *Fails* with OperatorError for what is no series. */
export function storedUnlike(folders: readonly string[]): readonly Unlike[] {
  return unlikeSettings(folders.map(readSettings));
}

/** Reads, analyses and compares. *Fails* with OperatorError for what is no series. */
export async function compareSeries(
  folders: readonly string[],
  by: ComparedBy,
  asked: IntervalChoice,
  signal: AbortSignal,
): Promise<SeriesComparison> {
  const stored: Stored[] = [];
  const all = folders.map(readSettings);
  // A series that chose its end by its results has no fixed number of trials, and neither has a sum that holds it.
  const choice: IntervalChoice = all.some(({ stopping }) => stopping !== undefined)
    ? { ...asked, method: 'confidence-sequence' }
    : asked;
  for (const [index, folder] of folders.entries()) {
    const read = all[index];
    if (read === undefined) continue;
    const settings = { ...read, interval: choice };
    const { arms } = await analyseSeries(folder, { ...settings, rules: [] }, signal);
    stored.push({ folder, settings, arms: arms.map(({ outcomes }) => outcomes) });
  }
  const summaries = by === 'arm' ? pooled(stored, choice) : apart(stored);
  const anomalies = stored[0]?.settings.anomalies ?? usualAnomalies;
  const rows = matrixRows(summaries, anomalies, choice);
  const compared = rows.flatMap(({ arm, shares }) =>
    shares.flatMap(({ anomaly, comparison }) =>
      comparison === null ? [] : [{ key: keyOf(arm, anomaly), p: comparison.pValue }],
    ),
  );
  const adjusted = holm(compared.map(({ p }) => p));
  const byKey = new Map(compared.map(({ key }, index) => [key, adjusted[index] ?? 1]));
  return {
    folders,
    by,
    interval: choice,
    unlike: unlikeSettings(stored.map(({ settings }) => settings)),
    anomalies: anomalies.map(({ name }) => name),
    rows: rows.map((row, index) => ({
      ...row,
      trials: summaries[index]?.trials ?? 0,
      completed: summaries[index]?.completed ?? 0,
      aborted: summaries[index]?.aborted ?? 0,
      adjusted: new Map(
        row.shares.flatMap(({ anomaly }) => {
          const p = byKey.get(keyOf(row.arm, anomaly));
          return p === undefined ? [] : [[anomaly, p] as const];
        }),
      ),
    })),
  };
}

function keyOf(arm: string, anomaly: string): string {
  return JSON.stringify([arm, anomaly]);
}

function pooled(stored: readonly Stored[], choice: IntervalChoice): readonly ArmSummary[] {
  const byArm = new Map<string, [ArmSummary, ...ArmSummary[]]>();
  for (const arm of stored.flatMap(({ arms }) => arms)) {
    const known = byArm.get(arm.arm);
    if (known === undefined) byArm.set(arm.arm, [arm]);
    else known.push(arm);
  }
  return [...byArm.values()].map((arms) => poolArms(arms, choice));
}

function apart(stored: readonly Stored[]): readonly ArmSummary[] {
  return stored.flatMap(({ arms }, index) =>
    arms.map((arm) => ({ ...arm, arm: `${index + 1}: ${arm.arm}` })),
  );
}
