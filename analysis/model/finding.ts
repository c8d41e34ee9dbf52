/**
 * Findings as data: one anomaly instance with the ids of its smallest evidence and one sentence saying why.
 * Prose is built from data, last; `catalogue` in analysis/anomalies says what each kind means.
 */
import type { Namespace, ThreadId } from './identifiers.ts';

/** Every kind of finding, in the order reports list them. */
export const findingKinds = [
  'undeclared-fork',
  'declared-fork',
  'hidden-execution',
  'shared-blob',
  'orphaned-write',
  'pending-write',
  'phantom-write',
  'dangling-parent',
  'stray-write',
  'inverted-order',
  'resumed-twice',
  'delta-mixed',
  'abandoned-thread',
  'duplicated-effect',
  'unrecorded-effect',
  'unlogged-execution',
  'zombie-effect',
  'count-violation',
  'mid-graph-start',
  'vanished-run',
  'stalled-run',
  'ghost-run',
  'poison',
  'unledgered-run',
  'repeated-charge',
  'unknown-charge',
  'missing-charge',
] as const;

/** One kind of finding. */
export type FindingKind = (typeof findingKinds)[number];

/** `error` makes a verdict invalid; `warning` and `info` do not. */
export type Severity = 'error' | 'warning' | 'info';

/** Which instruments a finding rests on. */
export type Evidence =
  | 'rows'
  | 'rows+writes'
  | 'rows+blobs'
  | 'rows+log'
  | 'rows+runs'
  | 'log'
  | 'ledger'
  | 'rows+ledger'
  | 'provider'
  | 'provider+runs';

/** Three-valued; merge with `mergeVerdicts` (invalid > unknown > valid). */
export type Verdict = 'valid' | 'invalid' | 'unknown';

/** The shapes of undeclared forks, langgraph-format §10. */
export type ForkClass = 'two-roots' | 'double-input' | 'input-during-run' | 'late-worker' | 'double-resume';

/** One anomaly instance. */
export interface Finding {
  readonly kind: FindingKind;
  readonly severity: Severity;
  readonly thread: ThreadId;
  readonly namespace: Namespace | null;
  /** One sentence built from data, starting lower-case, without a final full stop. */
  readonly because: string;
  readonly evidence: Evidence;
  /** The smallest set of ids that shows it: checkpoint ids, task ids, run tokens. */
  readonly witness: readonly string[];
  /** Kind-specific data for machines (counts, channels, leaves). */
  readonly details: Readonly<Record<string, unknown>>;
}

/** A question the rows cannot answer, with the reason. Any of these makes a thread's verdict unknown at least. */
export interface Undecided {
  readonly question: string;
  readonly reason: string;
}
