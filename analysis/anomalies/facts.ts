/**
 * What every detector is given: the evidence, what the rows account for, and what the log adds. Detectors read, they
 * compute nothing that two of them would need.
 */
import type { AnalysisOptions, ThreadEvidence } from '#analysis/model/evidence.ts';
import type { Finding, Undecided } from '#analysis/model/finding.ts';
import type { Fork, MisreadLeaf, NodeCounts } from '#analysis/model/report.ts';
import type { NamespaceAccount, ThreadAccount } from '#analysis/executions/account.ts';
import type { EdgeAccount } from '#analysis/executions/edge-account.ts';
import type { FatedExecution } from '#analysis/executions/fates.ts';
import type { LogOnEdges } from '#analysis/executions/settle.ts';
import type { NamespaceSums } from '#analysis/executions/sums.ts';
import type { Standing } from '#analysis/executions/standing.ts';
import type { TaskNames } from '#analysis/executions/task-names.ts';
import type { MidGraphStarts, ThreadTrait } from '#analysis/invariants/mid-graph-starts.ts';
import type { TaskIdHashes } from '#analysis/serialization/task-ids.ts';
import type { SiblingSet } from '#analysis/lineage/siblings.ts';
import type { LedgerFacts } from './ledger-facts.ts';

/** A fork with its place in the tree. */
export interface JudgedFork {
  readonly set: SiblingSet;
  readonly fork: Fork;
}

/** One namespace as detectors see it. */
export interface NamespaceFacts {
  readonly account: NamespaceAccount;
  /** The account's edges, settled by the log. */
  readonly edges: readonly EdgeAccount[];
  readonly sums: NamespaceSums;
  readonly forks: readonly JudgedFork[];
}

/** What the analysis cannot do by itself because it has to be loaded first; null where it was not. */
export interface AnalysisTools {
  /** Recomputes task ids. */
  readonly hashes: TaskIdHashes | null;
  /** The least number of mid-graph starts for a thread's counts; null when this vector has not been solved yet. */
  readonly explainStarts: ((counts: NodeCounts, trait: ThreadTrait) => MidGraphStarts | null) | null;
}

/** What a log adds. */
export interface LogFacts {
  readonly fates: readonly FatedExecution[];
  readonly onEdges: LogOnEdges;
}

/** Everything known of one thread. */
export interface ThreadFacts {
  readonly evidence: ThreadEvidence;
  readonly options: AnalysisOptions;
  readonly tools: AnalysisTools;
  readonly thread: ThreadAccount;
  readonly namespaces: readonly NamespaceFacts[];
  /** Null without a log. */
  readonly log: LogFacts | null;
  readonly names: TaskNames;
  /** Where the thread's root namespace stands. */
  readonly standing: Standing;
  /** Leaves whose stored state is not what their run returned. */
  readonly misread: readonly MisreadLeaf[];
  /** Null without a ledger. */
  readonly ledger: LedgerFacts | null;
}

/** What a detector found, and what it could not decide. */
export interface Detection {
  readonly findings: readonly Finding[];
  readonly undecided: readonly Undecided[];
}

/** Nothing found, nothing open. */
export const nothingFound: Detection = { findings: [], undecided: [] };

/** A detector: pure, and free to throw; `check` turns that into an undecided entry. */
export type Detector = (facts: ThreadFacts) => Detection;
