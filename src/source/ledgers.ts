/**
 * What is known of threads beside their rows and effects: a ledger of their runs, which of them are held, where their
 * graph is made to stop, and the moment that ages are counted to. Easy to get wrong: what nobody said is null, and an
 * empty list is something that was said.
 */
import type { NodeName } from '#analysis/model/identifiers.ts';
import { defaultLimits, type LedgerLimits } from '#analysis/model/ledger.ts';
import type { Ledger } from './ledger.ts';
import type { ActiveThreads } from './ledger-active.ts';

/** A moment, Unix milliseconds, and who says that it is now. `newest`: nothing that was read is newer. */
export interface AsOf {
  readonly ms: number;
  readonly origin: 'given' | 'server' | 'newest';
}

/** What is asked of every thread beside what its rows say. */
export interface StandingQuestions {
  readonly limits: LedgerLimits;
  /** Nodes before or after which the graph is made to stop; null: nobody said. */
  readonly breakpoints: readonly NodeName[] | null;
  /** Threads younger than this are not called abandoned; null: their age does not matter. */
  readonly minAgeMs: number | null;
}

/** What is known beside the rows. */
export interface Ledgers {
  /** Null: none. */
  readonly ledger: Ledger | null;
  /** Null: nobody said which threads are held. */
  readonly active: ActiveThreads | null;
  /** Null: nothing is counted to a moment. */
  readonly asOf: AsOf | null;
  readonly questions: StandingQuestions;
}

/** Nothing asked beyond the usual thresholds. */
export const usualQuestions: StandingQuestions = { limits: defaultLimits, breakpoints: null, minAgeMs: null };
