/**
 * What became of each execution that a log shows: committed on an edge, still pending, recorded as a failed or
 * interrupted attempt, finished but discarded, a zombie of a cancelled run, or in no row at all. Every execution gets
 * exactly one fate, so the fates add up to the log.
 */
import type { NodeName, RunToken } from '#analysis/model/identifiers.ts';
import type { RunRecord } from '#analysis/model/run.ts';
import { childCount } from '#analysis/lineage/tree.ts';
import type { NamespaceAccount, ThreadAccount } from './account.ts';
import { joinLog, place, type Join, type JoinMethod } from './join.ts';
import type { LoggedExecution } from './logged.ts';
import { storedOutcomes } from './stored-outcome.ts';

/** Where an execution ended up. */
export type Fate =
  | {
      readonly kind: 'committed';
      readonly account: NamespaceAccount;
      readonly child: number;
      readonly method: JoinMethod;
    }
  /** Finished, its superstep not committed yet. */
  | { readonly kind: 'pending' }
  /** Finished and stored, then discarded by a new input. */
  | { readonly kind: 'orphaned' }
  /** Failed, aborted or interrupted, and the rows say so. */
  | { readonly kind: 'attempt' }
  /** Ended after its run was cancelled; no edge of that run commits it. */
  | { readonly kind: 'zombie'; readonly because: string }
  /** Its name is no node of the graph as far as the rows know one. */
  | { readonly kind: 'no-node' }
  /** The rows that would tell are absent. */
  | { readonly kind: 'unknown'; readonly because: string }
  | { readonly kind: 'unrecorded' };

/** One execution with its fate. */
export interface FatedExecution {
  readonly execution: LoggedExecution;
  readonly fate: Fate;
}

/**
 * Decides the fates of all executions of a thread. `runs` null: nobody recorded runs. `notNodes`: names that are known
 * to be no nodes.
 */
export function decideFates(
  thread: ThreadAccount,
  executions: readonly LoggedExecution[],
  runs: readonly RunRecord[] | null,
  notNodes: ReadonlySet<NodeName> = new Set(),
): { readonly fates: readonly FatedExecution[]; readonly join: Join } {
  const join = joinLog(thread, executions);
  const byRun = new Map((runs ?? []).map((run) => [run.run, run]));
  const pruned = thread.namespaces.some((account) => account.tree.orphans.length > 0);
  const fates: FatedExecution[] = join.joined.map(({ execution, account, child, method }) => ({
    execution,
    fate: { kind: 'committed', account, child, method },
  }));
  for (const execution of join.unjoined) {
    const fate = unjoinedFate(thread, execution, byRun, pruned);
    const isNote = fate.kind === 'unrecorded' && notNodes.has(execution.node);
    fates.push({ execution, fate: isNote ? { kind: 'no-node' } : fate });
  }
  return { fates, join };
}

function unjoinedFate(
  thread: ThreadAccount,
  execution: LoggedExecution,
  runs: ReadonlyMap<RunToken, RunRecord>,
  pruned: boolean,
): Fate {
  const [{ task }] = execution.effects;
  // LangGraph forbids these characters in node names: such a record is a note, not an execution of a node.
  if (/[:|]/.test(execution.node)) return { kind: 'no-node' };
  if (thread.rows.shallow === true) return { kind: 'unknown', because: 'its saver keeps no history' };
  const found = place(thread, execution);
  const cancelled = cancelledBefore(execution, runs);
  if (found !== null && task !== null) {
    const { account, at } = found;
    const row = account.tree.rows[at];
    const writes = row === undefined ? [] : thread.writes.at(row.namespace, row.id);
    const outcome = storedOutcomes(writes).get(task);
    if (outcome?.finished === true && childCount(account.tree, at) === 0) return { kind: 'pending' };
    if (outcome?.finished === true && !committedBelow(account, at, execution)) return { kind: 'orphaned' };
    if (outcome?.aborted === true) return { kind: 'zombie', because: 'its task has an abort recorded' };
    if (cancelled !== null) return { kind: 'zombie', because: cancelled };
    if (outcome?.failed === true || outcome?.interrupted === true) return { kind: 'attempt' };
  }
  if (cancelled !== null) return { kind: 'zombie', because: cancelled };
  if (found === null && pruned)
    return { kind: 'unknown', because: 'rows above a dangling parent are absent' };
  return { kind: 'unrecorded' };
}

function committedBelow(account: NamespaceAccount, at: number, execution: LoggedExecution): boolean {
  const { childStart, childList } = account.tree;
  for (let place = childStart[at] ?? 0; place < (childStart[at + 1] ?? 0); place++) {
    if (account.edges[childList[place] ?? 0]?.tasks.includes(execution.node) === true) return true;
  }
  return false;
}

/** Why the execution counts as having ended after its run's cancellation; null when it does not. */
function cancelledBefore(execution: LoggedExecution, runs: ReadonlyMap<RunToken, RunRecord>): string | null {
  const last = execution.effects[execution.effects.length - 1] ?? execution.effects[0];
  const run = last.run === null ? undefined : runs.get(last.run);
  if (run === undefined) return null;
  if (run.cancelledMs !== null && last.monotonicMs !== null) {
    const lateMs = last.monotonicMs - run.cancelledMs;
    return lateMs > 0 ? `it ended ${lateMs.toFixed(1)} ms after run ${run.run} was cancelled` : null;
  }
  return run.outcome === 'cancelled' ? `run ${run.run} was cancelled` : null;
}
