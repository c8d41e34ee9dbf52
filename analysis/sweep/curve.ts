/**
 * A sweep as a curve: for each gap the share of trials with an outcome, what kinds of forks there were, and how far apart
 * the racers truly read. Easy to get wrong: each interval holds its level for its own gap, not for the curve as a whole.
 */
import { invariant } from '../model/bug.ts';
import type { Proportion } from '../model/interval.ts';
import type { ArmSummary, OutcomeValue } from '../model/trial.ts';
import { medianInterval, medianOf } from '../statistics/median-interval.ts';
import { trialsWith, type OutcomeQuestion } from '../statistics/outcome-share.ts';
import { proportionOf, type IntervalChoice } from '../statistics/proportion.ts';

/** What the racers' first reads say of a gap, milliseconds. */
export interface MeasuredGap {
  readonly median: number;
  /** Of how many pairs of reads. */
  readonly of: number;
  /** Of the median, at the level of the series; null for too few pairs. */
  readonly interval: { readonly lower: number; readonly upper: number } | null;
}

/** One gap of the curve. */
export interface SweepPoint {
  /** As planned: between the releases. */
  readonly gapMs: number;
  /** Null where no two racers read. */
  readonly measuredGapMs: MeasuredGap | null;
  /** Of the completed trials; null without any. */
  readonly share: Proportion | null;
  /** The class of each trial's first undeclared fork, `none` where there is none; most frequent first. */
  readonly classes: readonly { readonly value: OutcomeValue; readonly count: number }[];
  readonly overlapped: { readonly count: number; readonly of: number } | null;
  readonly aborted: number;
}

/** An arm of the sweep. */
export interface GapTrials {
  readonly gapMs: number;
  readonly summary: ArmSummary;
  /** Between the racers' first reads, ascending. */
  readonly readGapsMs: readonly number[];
}

/** The curve, in the order of the arms. */
export function sweepCurve(
  arms: readonly GapTrials[],
  question: OutcomeQuestion,
  choice: IntervalChoice,
): readonly SweepPoint[] {
  return arms.map(({ gapMs, summary, readGapsMs }) => ({
    gapMs,
    measuredGapMs: measuredGap(readGapsMs, choice.level),
    share: proportionOf(trialsWith(summary, question), summary.completed, choice),
    classes: classesOf(summary),
    overlapped: summary.overlapped,
    aborted: summary.aborted,
  }));
}

function measuredGap(ascending: readonly number[], level: number): MeasuredGap | null {
  const median = medianOf(ascending);
  if (median === null) return null;
  const interval = medianInterval(ascending, level);
  return {
    median,
    of: ascending.length,
    interval: interval === null ? null : { lower: interval.lower, upper: interval.upper },
  };
}

function classesOf({ outcomes, completed }: ArmSummary): SweepPoint['classes'] {
  const values = outcomes.find(({ key }) => key === 'class')?.values ?? [];
  const classes = values.map(({ value, count }) => ({ value, count }));
  invariant(
    classes.reduce((sum, { count }) => sum + count, 0) === completed,
    'every completed trial has a class',
  );
  return classes;
}
