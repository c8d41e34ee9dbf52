/**
 * What a ledger adds to the facts of a thread: its runs judged, and the rows that none of them can have made. Easy to
 * get wrong: a trace that may be a run's own is neither its own nor none.
 */
import type { CheckpointId } from '#analysis/model/identifiers.ts';
import type { LedgerClass, LedgerRun } from '#analysis/model/ledger.ts';

/**
 * What a thread shows of one run. `own`: rows or effects that are the run's, by its id or because no other run of the
 * ledger can have made them; `open`: something that may be its own, with the reason why nothing tells; `none`: nothing
 * can be.
 */
export type RunTrace =
  | { readonly kind: 'own'; readonly by: 'id' | 'elimination' }
  | { readonly kind: 'open'; readonly reason: string }
  | { readonly kind: 'none' };

/** Rows that no run of the ledger can have made. */
export interface UnledgeredRows {
  readonly checkpoints: number;
  /** Run ids named by them, ascending. */
  readonly runs: readonly string[];
  /** How many are older than the oldest run of the whole ledger, which may have forgotten theirs. */
  readonly older: number;
  /** The newest of them, as a witness. */
  readonly newest: CheckpointId;
}

/** A run and what became of it. */
export interface JudgedRun {
  readonly run: LedgerRun;
  readonly class: LedgerClass;
  readonly trace: RunTrace;
  /** Why, as the second half of a sentence about the run. */
  readonly because: string;
}

/** What a ledger adds to the facts of a thread. */
export interface LedgerFacts {
  readonly runs: readonly JudgedRun[];
  readonly unledgered: UnledgeredRows | null;
}
