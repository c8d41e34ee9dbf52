/**
 * When has a series seen enough? It is asked between batches, never by an interval for a fixed number of trials: only a
 * confidence sequence holds its level at a time that the results themselves choose. Trials that are in flight when an
 * arm has seen enough are finished and counted.
 */
import type { ArmSummary } from '#analysis/model/trial.ts';
import { OperatorError } from '../failure/operator-error.ts';
import { confidenceSequence } from '#analysis/statistics/confidence-sequence.ts';
import { trialsWith, type OutcomeQuestion } from '#analysis/statistics/outcome-share.ts';

/** What a series without a fixed length waits for: that it knows the share of trials with an outcome. */
export interface Stopping extends OutcomeQuestion {
  /** The series ends when the interval is at most so wide, in (0, 1). */
  readonly width: number;
}

/** How far an arm has come. */
export interface StoppingShare {
  readonly count: number;
  readonly of: number;
  readonly width: number;
  readonly isEnough: boolean;
}

/** Trials of each arm in the first batch, and by how much batches grow: a look costs about what a batch's tenth does. */
const firstBatch = 20;
const growth = 1.25;

/** Outcomes that a trial only has when they are not zero. */
const absentIsZero = /^(hidden|refused|lostKeys)\./;

/** *Fails* with OperatorError when no completed trial has the outcome: a misspelt one would be "never seen". */
export function requireOutcome(outcome: string, arms: readonly ArmSummary[]): void {
  const keys = new Set(arms.flatMap(({ outcomes }) => outcomes.map(({ key }) => key)));
  if (keys.size === 0 || keys.has(outcome) || absentIsZero.test(outcome)) return;
  throw new OperatorError({
    happened: `no trial has the outcome ${outcome}`,
    place: '--until',
    expected: `one of ${[...keys].join(', ')}`,
    remedy: 'Name an outcome of the table that the series prints.',
  });
}

/** The share that an arm is judged by; null before it has a completed trial. */
export function stoppingShare(arm: ArmSummary, stopping: Stopping, level: number): StoppingShare | null {
  if (arm.completed === 0) return null;
  const count = trialsWith(arm, stopping);
  const { lower, upper } = confidenceSequence(count, arm.completed, level);
  const width = upper - lower;
  return { count, of: arm.completed, width, isEnough: width <= stopping.width };
}

/** Plans in batches of growing size, `arms` of them a trial. */
export function* batchesOf<T>(plans: readonly T[], arms: number): Generator<readonly T[]> {
  let size = firstBatch;
  for (let from = 0; from < plans.length;) {
    const to = Math.min(plans.length, from + Math.ceil(size) * arms);
    yield plans.slice(from, to);
    from = to;
    size *= growth;
  }
}
