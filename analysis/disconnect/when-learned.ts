/**
 * When does a worker hear that its client has left? Measured between two clocks that are one: the driver's when it closes
 * the socket, and the worker's when it cancels the run, on one machine. Easy to get wrong: a run that ends by itself before
 * it is told has learned nothing, and is neither slow nor lost.
 */
import type { RunToken } from '../model/identifiers.ts';
import type { Proportion } from '../model/interval.ts';
import type { RunRecord } from '../model/run.ts';
import type { ArmSummary } from '../model/trial.ts';
import { medianInterval, medianOf } from '../statistics/median-interval.ts';
import { proportionOf, type IntervalChoice } from '../statistics/proportion.ts';

/** A client that closed its socket. */
export interface Leave {
  readonly run: RunToken;
  /** Chunks it had read until then. */
  readonly afterChunk: number;
  readonly atMs: number;
}

/** What became of a leave. */
export interface LearnedLeave {
  readonly afterChunk: number;
  /** Milliseconds until the run was cancelled; null: it never was. */
  readonly learnedMs: number | null;
}

/** An arm's answer. */
export interface LearnedArm {
  readonly arm: string;
  /** Of the clients that left in completed trials; null when none did. */
  readonly learned: Proportion | null;
  /** Milliseconds, of those that learned; null when none did. */
  readonly afterMs: {
    readonly median: number;
    readonly least: number;
    readonly most: number;
    /** Of the median; null for too few. */
    readonly interval: { readonly lower: number; readonly upper: number } | null;
  } | null;
  /** What the clients had read when they left, ascending. */
  readonly chunks: readonly { readonly value: number; readonly count: number }[];
  /** Rows of the thread in the end. */
  readonly rows: readonly { readonly value: number; readonly count: number }[];
}

/** Sets the leaves of a trial against its runs. */
export function learnedLeaves(leaves: readonly Leave[], runs: readonly RunRecord[]): readonly LearnedLeave[] {
  return leaves.map(({ run: token, afterChunk, atMs }) => {
    const cancelledMs = runs.find(({ run }) => run === token)?.cancelledMs ?? null;
    return { afterChunk, learnedMs: cancelledMs === null ? null : cancelledMs - atMs };
  });
}

/** The answer of one arm. */
export function learnedArm(
  { arm, outcomes }: ArmSummary,
  leaves: readonly LearnedLeave[],
  choice: IntervalChoice,
): LearnedArm {
  const ms = leaves.flatMap(({ learnedMs }) => learnedMs ?? []).toSorted((a, b) => a - b);
  const rows = outcomes.find(({ key }) => key === 'rows')?.values ?? [];
  return {
    arm,
    learned: proportionOf(ms.length, leaves.length, choice),
    afterMs: spreadOf(ms, choice.level),
    chunks: countsOf(leaves.map(({ afterChunk }) => afterChunk)),
    rows: rows
      .map(({ value, count }) => ({ value: Number(value), count }))
      .toSorted((a, b) => a.value - b.value),
  };
}

function spreadOf(ascending: readonly number[], level: number): LearnedArm['afterMs'] {
  const [median, least, most] = [medianOf(ascending), ascending[0], ascending.at(-1)];
  if (median === null || least === undefined || most === undefined) return null;
  const interval = medianInterval(ascending, level);
  return {
    ...{ median, least, most },
    interval: interval === null ? null : { lower: interval.lower, upper: interval.upper },
  };
}

function countsOf(values: readonly number[]): LearnedArm['chunks'] {
  const counts = new Map<number, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return [...counts].map(([value, count]) => ({ value, count })).toSorted((a, b) => a.value - b.value);
}
