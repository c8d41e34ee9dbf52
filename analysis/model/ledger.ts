/**
 * A run ledger: what a queue or a table of jobs says of runs that were accepted, whatever the rows show. Easy to get
 * wrong: a ledger is somebody else's instrument with its own words, clock and memory; a row without a run may mean a
 * ledger that forgot, and a run without a row may mean rows that were pruned.
 */
import type { ThreadId } from './identifiers.ts';

/**
 * What a ledger's status comes to. `waiting`: accepted, nobody works on it; `paused`: it waits for an answer; `unsaid`:
 * the ledger has no status; `unknown`: a word that is not known.
 */
export type LedgerPhase =
  'waiting' | 'running' | 'paused' | 'succeeded' | 'failed' | 'cancelled' | 'unsaid' | 'unknown';

/** One row of a ledger. Times are Unix milliseconds; null where the ledger does not say. */
export interface LedgerRun {
  readonly run: string;
  readonly thread: ThreadId;
  readonly phase: LedgerPhase;
  /** The status in the ledger's own words; null when it has none. */
  readonly status: string | null;
  /** When the run was accepted. */
  readonly createdMs: number | null;
  /** When its worker was last heard of. */
  readonly heartbeatMs: number | null;
  /** How often it was begun. */
  readonly attempts: number | null;
}

/** A ledger's rows of one thread; no rows when the ledger does not know it. */
export interface LedgerEvidence {
  readonly runs: readonly LedgerRun[];
  /** When the oldest run of the whole ledger was accepted; null when none says. */
  readonly oldestMs: number | null;
}

/** A thread that is held now: some worker says that it is at work on it. */
export interface Lease {
  /** When the claim ends by itself, Unix milliseconds; null: it does not. */
  readonly expiresMs: number | null;
}

/** From when on a run counts as lost, stuck or poisonous. */
export interface LedgerLimits {
  /** An accepted run without a checkpoint is given so long. */
  readonly vanishAfterMs: number;
  /** A run that is said to be running may go without any progress so long. */
  readonly stallAfterMs: number;
  /** So many attempts are the last. */
  readonly attemptCap: number;
}

/** A minute, a quarter of an hour, five attempts. */
export const defaultLimits: LedgerLimits = { vanishAfterMs: 60_000, stallAfterMs: 900_000, attemptCap: 5 };

/**
 * What became of a run of the ledger; each has exactly one.
 *
 * - `ended`: the ledger says that it ended, and nothing contradicts it
 * - `waiting`: too young to be missed, or waiting for its turn behind a run that is open
 * - `moving`: at work, and its thread or its worker has shown signs of life
 * - `held`: a lease on its thread says that somebody is at work on it
 * - `paused`: it waits for an answer
 * - `shown`: rows show it, and the ledger does not say whether it is still at work
 * - `vanished`, `stalled`, `ghost`, `poison`: the findings of these names
 * - `undetermined`: neither ledger nor rows can tell
 */
export const ledgerClasses = [
  'ended',
  'waiting',
  'moving',
  'held',
  'paused',
  'shown',
  'vanished',
  'stalled',
  'ghost',
  'poison',
  'undetermined',
] as const;

/** One of {@link ledgerClasses}. */
export type LedgerClass = (typeof ledgerClasses)[number];

/** How many runs of the ledger are in which class; classes without a run are absent. */
export type LedgerCounts = ReadonlyMap<LedgerClass, number>;
