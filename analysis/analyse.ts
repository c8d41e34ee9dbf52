/**
 * The one pure function that everything passes through: evidence about a thread in, a report out. A trial made a
 * second ago and a production dump take the same way. What has to be loaded first (hash functions, the solver) comes
 * in as tools; without them the analysis says less, never something else.
 */
import type { AnalysisOptions, ThreadEvidence } from './model/evidence.ts';
import type { Undecided } from './model/finding.ts';
import type { LedgerClass, LedgerCounts } from './model/ledger.ts';
import type { JoinCounts, NodeCounts, ThreadReport } from './model/report.ts';
import { verdictOf } from './model/verdict.ts';
import { check } from './anomalies/check.ts';
import type { AnalysisTools, ThreadFacts } from './anomalies/facts.ts';
import { gatherFacts } from './anomalies/gather.ts';
import { addNodes, noCounts, type MutableCounts } from './executions/counts.ts';
import { countExecutions } from './executions/logged.ts';
import { reportNamespace } from './namespace-report.ts';

export { emptyTotals, addToTotals, mergeTotals } from './totals.ts';
export { outcomesOf } from './outcomes.ts';

/** No hash functions, no solver: tasks are named by stored paths and the log alone, mid-graph starts not counted. */
export const noTools: AnalysisTools = { hashes: null, explainStarts: null };

/**
 * Analyses one thread. *Cost*: linear in its rows for unforked threads, about a microsecond a checkpoint. *Fails*
 * never on data: what cannot be judged is in `undecided`.
 */
export function analyseThread(
  evidence: ThreadEvidence,
  options: AnalysisOptions,
  tools: AnalysisTools = noTools,
): ThreadReport {
  const facts = gatherFacts(evidence, options, tools);
  const { findings, undecided } = check(facts);
  const open: Undecided[] = [...undecided, ...limits(facts)];
  const executions = facts.log?.fates.map((fated) => fated.execution) ?? null;
  return {
    thread: evidence.rows.thread,
    schema: evidence.rows.schema,
    verdict: verdictOf(findings, open),
    status: facts.standing.status,
    ...(facts.standing.narrowed === undefined ? {} : { statusReason: facts.standing.narrowed }),
    next: facts.standing.next,
    namespaces: facts.namespaces.map((namespace) => reportNamespace(facts, namespace)),
    log: executions === null ? null : countExecutions(executions.filter((execution) => execution.inLog)),
    unrecorded: unrecorded(facts),
    join: joinCounts(facts),
    findings,
    undecided: open,
    ...(evidence.runs === null ? {} : { misreadLeaves: facts.misread }),
    ...(facts.ledger === null ? {} : { ledger: ledgerCounts(facts.ledger) }),
  };
}

function ledgerCounts({ runs }: NonNullable<ThreadFacts['ledger']>): LedgerCounts {
  const counts = new Map<LedgerClass, number>();
  for (const judged of runs) counts.set(judged.class, (counts.get(judged.class) ?? 0) + 1);
  return counts;
}

function joinCounts({ log }: ThreadFacts): JoinCounts | null {
  if (log === null) return null;
  const counts = { exact: 0, task: 0, run: 0, time: 0, none: 0 };
  for (const { fate } of log.fates) counts[fate.kind === 'committed' ? fate.method : 'none'] += 1;
  return counts;
}

function unrecorded(facts: ThreadFacts): NodeCounts {
  const counts: MutableCounts = new Map();
  for (const { execution, fate } of facts.log?.fates ?? []) {
    if (fate.kind === 'unrecorded') addNodes(counts, [execution.node]);
  }
  return counts.size === 0 ? noCounts : counts;
}

/** What a source as a whole cannot show. */
function limits({ evidence }: ThreadFacts): Undecided[] {
  const { rows } = evidence;
  if (rows.damagedRows !== undefined) {
    return [
      { question: 'what its damaged rows say', reason: 'rows of it could not be read and were left out' },
    ];
  }
  if (rows.shallow === true) {
    return [
      {
        question: 'whether the thread forked',
        reason: 'its saver keeps one checkpoint a namespace and no history',
      },
    ];
  }
  if (rows.checkpoints.length > 0) return [];
  return [{ question: 'what happened in the thread', reason: 'it has no checkpoint rows' }];
}
