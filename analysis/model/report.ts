/**
 * What an analysis returns. `forkscope-audit/1` is this structure as JSON: Maps become objects, nothing else changes.
 */
import type { ChannelName, CheckpointId, Namespace, NodeName, RunToken, ThreadId } from './identifiers.ts';
import type { Finding, FindingKind, ForkClass, Undecided, Verdict } from './finding.ts';
import type { LedgerCounts } from './ledger.ts';

/** Node → count. A Map because nodes may be named `__proto__`. */
export type NodeCounts = ReadonlyMap<NodeName, number>;

/** How many times nodes ran, by where it was looked for. */
export interface Executions {
  /** Over every edge of the tree. */
  readonly tree: NodeCounts;
  /** Over the head's lineage only: what `getState` shows. */
  readonly head: NodeCounts;
  /** Per node the greatest count over all root-to-leaf paths. */
  readonly maxPath: NodeCounts;
  /** Finished tasks whose superstep never committed but still can. */
  readonly pending: NodeCounts;
  /** In the effect log, one per (parent checkpoint, task, run); null without a log. */
  readonly log: NodeCounts | null;
}

/** `race`: concurrent runs made it; `deliberate`: an update, copy, replay or sequential input did. */
export type ForkVerdict = 'race' | 'deliberate' | 'undetermined';

/** A sibling set larger than one; NULL counts as a parent. */
export interface Fork {
  readonly parent: CheckpointId | null;
  /** Ascending by id; at least two. */
  readonly children: readonly CheckpointId[];
  readonly declared: boolean;
  /** Null for declared forks. */
  readonly class: ForkClass | null;
  readonly verdict: ForkVerdict;
  readonly because: string;
}

/** The writer's language as version values show it. */
export type Writer = 'js' | 'python' | 'unknown';

/** One tree: a namespace of a thread. */
export interface NamespaceReport {
  readonly namespace: Namespace;
  readonly writer: Writer;
  readonly checkpoints: number;
  readonly roots: readonly CheckpointId[];
  readonly leaves: readonly CheckpointId[];
  readonly head: CheckpointId | null;
  /** Root first. */
  readonly headLineage: readonly CheckpointId[];
  readonly danglingParents: readonly { readonly child: CheckpointId; readonly parent: CheckpointId }[];
  readonly forks: readonly Fork[];
  readonly executions: Executions;
  readonly hidden: NodeCounts;
  /** Nodes whose tree count is a lower bound. */
  readonly atLeast: readonly NodeName[];
  /** Nodes whose tree count is an upper bound. */
  readonly atMost: readonly NodeName[];
}

/** What rows say about where a thread stands. */
export type ThreadStatus =
  'terminal' | 'interrupted' | 'errored' | 'cancelled' | 'abandoned' | 'indeterminate' | 'no-rows';

/**
 * What narrowed a status that rows leave open. `in-flight`: somebody holds the thread; `young`: it moved so lately that
 * somebody may; `undated`: no row tells how lately; `breakpoint`: the graph is made to stop there; `unheld`: nobody holds
 * it and it is at no breakpoint.
 */
export interface StatusReason {
  readonly cause: 'in-flight' | 'young' | 'undated' | 'breakpoint' | 'unheld';
  /** One sentence, starting lower-case, without a final full stop. */
  readonly because: string;
}

/** A leaf that reads back another state than its own run returned. */
export interface MisreadLeaf {
  readonly leaf: CheckpointId;
  readonly run: RunToken;
  /** The channels that differ, ascending. */
  readonly channels: readonly ChannelName[];
  readonly isHead: boolean;
}

/**
 * How many executions of the log found their edge by which key, surest first: `exact` by parent checkpoint, task and
 * run; `task` by parent and task, the run unknown or another's; `run` by node and the run's compacted edge; `time` by
 * node and time order, which is a guess; `none` found no edge.
 */
export type JoinCounts = Readonly<Record<'exact' | 'task' | 'run' | 'time' | 'none', number>>;

/** Everything said of one thread. */
export interface ThreadReport {
  readonly thread: ThreadId;
  readonly schema: string | null;
  readonly verdict: Verdict;
  readonly status: ThreadStatus;
  /** What beside the rows decided the status, or kept it open; absent: rows alone say it. */
  readonly statusReason?: StatusReason;
  /** Node names the thread would run next. */
  readonly next: readonly NodeName[];
  readonly namespaces: readonly NamespaceReport[];
  readonly log: NodeCounts | null;
  readonly unrecorded: NodeCounts;
  /** How the log was joined to the rows; null without a log. */
  readonly join: JoinCounts | null;
  readonly findings: readonly Finding[];
  readonly undecided: readonly Undecided[];
  /** Absent when no run's returned state is known. */
  readonly misreadLeaves?: readonly MisreadLeaf[];
  /** What became of the ledger's runs of the thread; absent without a ledger. */
  readonly ledger?: LedgerCounts;
}

/** Sums over all threads of a source. */
export interface Totals {
  readonly threads: number;
  readonly namespaces: number;
  readonly checkpoints: number;
  readonly forks: number;
  readonly declaredForks: number;
  readonly undeclaredForks: number;
  readonly findings: ReadonlyMap<FindingKind, number>;
  /** Runs of the ledger by what became of them; absent without a ledger. */
  readonly ledger?: LedgerCounts;
}
