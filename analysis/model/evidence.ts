/**
 * Everything a source can say about one thread, handed to the analysis at once. What a source does not have is
 * null, and the analysis then says less, never something else.
 */
import type { ThreadRows } from './checkpoint.ts';
import type { EffectLog } from './effect.ts';
import type { NodeName } from './identifiers.ts';
import type { CountRule, GraphShape } from './invariant.ts';
import type { RunRecord } from './run.ts';

/** The evidence about one thread. */
export interface ThreadEvidence {
  readonly rows: ThreadRows;
  readonly log: EffectLog | null;
  /** What the workers said of their runs; null when nobody recorded runs. */
  readonly runs: readonly RunRecord[] | null;
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
}
