/**
 * Everything a source can say about one thread, handed to the analysis at once. What a source does not have is
 * null, and the analysis then says less, never something else.
 */
import type { ThreadRows } from './checkpoint.ts';
import type { EffectLog } from './effect.ts';
import type { NodeName } from './identifiers.ts';
import type { CountRule, GraphShape } from './invariant.ts';
import type { Lease, LedgerEvidence, LedgerLimits } from './ledger.ts';
import type { ProviderEvidence } from './provider.ts';
import type { RunRecord } from './run.ts';

/** The evidence about one thread. */
export interface ThreadEvidence {
  readonly rows: ThreadRows;
  readonly log: EffectLog | null;
  /** What the workers said of their runs; null when nobody recorded runs. */
  readonly runs: readonly RunRecord[] | null;
  /** What a provider's own account says of the thread; absent or null: nobody kept one. */
  readonly provider?: ProviderEvidence | null;
  /** What a ledger of runs says of the thread; absent or null: there is no ledger. */
  readonly ledger?: LedgerEvidence | null;
  /** Whether the thread is held now; null: it is not; absent: nobody said which threads are. */
  readonly lease?: Lease | null;
}

/** What is asked of every thread alike. */
export interface AnalysisOptions {
  /** Checked on the tree and on the log, per thread. */
  readonly rules: readonly CountRule[];
  /** The graph's shape, for the least number of mid-graph starts; absent or null: not asked. */
  readonly shape?: GraphShape | null;
  /** Nodes known to write to the effect log; absent: those of the shape, and those that a thread's log names. */
  readonly loggingNodes?: readonly NodeName[];
  /** Names in the log that no row of the whole source shows as a node: notes, which no row need account for. */
  readonly notNodes?: readonly NodeName[];
  /** The moment that ages are counted to, Unix milliseconds; absent or null: none, and nothing is called too old. */
  readonly nowMs?: number | null;
  /** Absent: `defaultLimits` of ledger.ts. */
  readonly limits?: LedgerLimits;
  /** Nodes before or after which the graph is made to stop; empty: none; absent: nobody said. */
  readonly breakpoints?: readonly NodeName[];
  /** A thread with activity younger than this may be running and is not called abandoned; absent: age is not asked. */
  readonly minAgeMs?: number;
}
