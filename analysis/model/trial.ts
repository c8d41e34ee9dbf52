/**
 * Trials, series and their outcomes (`forkscope-series/1`). A trial is one execution of a scenario on one thread;
 * an aborted trial failed for a reason outside the scenario and is counted apart, never folded in.
 */
import type { Interval } from './interval.ts';
import type { ThreadId } from './identifiers.ts';

/** A value an outcome key took in one trial. */
export type OutcomeValue = number | string | boolean;

/** Outcome key (`executed.charge`, `forks`, `class` …) → value in one trial. */
export type TrialOutcomes = ReadonlyMap<string, OutcomeValue>;

/** One finished trial. */
export interface CompletedTrial {
  readonly kind: 'completed';
  readonly trial: number;
  readonly thread: ThreadId;
  readonly outcomes: TrialOutcomes;
  /** The racing runs' intervals [first read, last put] intersect; null where the scenario races nothing. */
  readonly overlapped: boolean | null;
}

/** One trial that an unplanned failure ended. */
export interface AbortedTrial {
  readonly kind: 'aborted';
  readonly trial: number;
  readonly thread: ThreadId;
  readonly reason: string;
}

export type Trial = CompletedTrial | AbortedTrial;

/** How often a key took a value. */
export interface ValueFrequency {
  readonly value: OutcomeValue;
  readonly count: number;
  readonly of: number;
  readonly interval: Interval;
}

/** The distribution of one outcome key over the completed trials. */
export interface OutcomeDistribution {
  readonly key: string;
  /** Most frequent first. */
  readonly values: readonly ValueFrequency[];
}

/** One variant of a scenario. */
export interface ArmSummary {
  readonly arm: string;
  readonly trials: number;
  readonly completed: number;
  readonly aborted: number;
  readonly abortReasons: readonly { readonly reason: string; readonly count: number }[];
  readonly overlapped: { readonly count: number; readonly of: number } | null;
  readonly outcomes: readonly OutcomeDistribution[];
}
