/**
 * What came of the sweeps, as `forkscope-reconcile/1`. Easy to get wrong: a thread that is not what it was to be says
 * nothing about any sweep, so it is listed with its reason and in no count.
 */
import { scoreSweep, type SweepScore } from '#analysis/reconcile/confusion.ts';
import type { Answer } from '#analysis/reconcile/truth.ts';
import type { IntervalChoice } from '#analysis/statistics/proportion.ts';
import type { SeriesSettings } from '#src/rundir/series-file.ts';
import type { Durability } from '#trials/scenario.ts';
import { populationKinds, type Sweep } from '#trials/experiments/reconcile.ts';
import type { Population } from './population.ts';
import type { SweepMoment } from './sweep.ts';
import type { Captured } from './sweep-files.ts';

/** How it was run. */
export interface ReconcileSettings {
  readonly claim: string;
  readonly durability: Durability;
  readonly each: number;
  readonly keepers: number;
  readonly victims: number;
  readonly leaseMs: number;
  readonly interval: IntervalChoice;
  readonly startedAt: string;
  readonly versions: SeriesSettings['versions'];
  readonly database: 'embedded' | 'external';
  readonly folder: string;
}

/** One sweep and what it is worth. */
export interface ScoredSweep {
  readonly sweep: Sweep;
  readonly score: SweepScore;
  /** The command that says the same of the stored files; null where none does. */
  readonly command: string | null;
}

/** Everything that came out. */
export interface ReconcileResult {
  readonly settings: ReconcileSettings;
  readonly moment: SweepMoment;
  readonly threads: number;
  readonly misbuilt: ReadonlyMap<string, string>;
  readonly lapsedLeases: readonly string[];
  readonly sweeps: readonly ScoredSweep[];
  /** See {@link verdictOfSweeps}. */
  readonly verdict: 'valid' | 'invalid' | 'unknown';
}

/** Scores one sweep's answers over the threads that are what they were to be. */
export function scoreAnswers(
  { threads, misbuilt }: Population,
  told: ReadonlyMap<string, Answer>,
  choice: IntervalChoice,
): SweepScore {
  return scoreSweep(
    threads
      .filter(({ thread }) => !misbuilt.has(thread))
      .map(({ thread, kind }) => ({
        kind: kind.name,
        truth: kind.truth,
        answer: told.get(thread) ?? 'unseen',
      })),
    choice,
  );
}

/**
 * Whether the claim held. `invalid`: a sound sweep called a live or paused thread abandoned, or an abandoned one
 * something else. `unknown`: a kind has no thread left to tell of, or a live worker's lease had ended, which makes an
 * alarm on its thread right by what the sweep was told.
 */
export function verdictOfSweeps(
  { threads, misbuilt }: Population,
  { lapsedLeases }: Captured,
  sweeps: readonly ScoredSweep[],
): ReconcileResult['verdict'] {
  const isBroken = sweeps.some(
    ({ sweep, score }) =>
      sweep.isSound && ((score.falseAlarms?.count ?? 0) > 0 || (score.missed?.count ?? 0) > 0),
  );
  if (lapsedLeases.length > 0) return 'unknown';
  if (isBroken) return 'invalid';
  const isWhole = populationKinds.every(({ name }) =>
    threads.some(({ thread, kind }) => kind.name === name && !misbuilt.has(thread)),
  );
  return isWhole ? 'valid' : 'unknown';
}

/** `forkscope-reconcile/1`. */
export function reconcileJson(result: ReconcileResult): unknown {
  const { settings, moment, misbuilt, sweeps } = result;
  return {
    format: 'forkscope-reconcile/1',
    ...settings,
    verdict: result.verdict,
    asOf: new Date(moment.asOfMs).toISOString(),
    minAgeMs: moment.minAgeMs,
    threads: result.threads,
    misbuilt: [...misbuilt].map(([thread, reason]) => ({ thread, reason })),
    lapsedLeases: result.lapsedLeases,
    kinds: populationKinds,
    sweeps: sweeps.map(({ sweep, score, command }) => ({
      ...sweep,
      command,
      ...score,
      matrix: score.matrix.map(({ truth, threads, told }) => ({
        truth,
        threads,
        told: Object.fromEntries(told),
      })),
      kinds: score.kinds.map(({ kind, told }) => ({ kind, told: Object.fromEntries(told) })),
    })),
  };
}
