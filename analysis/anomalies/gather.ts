/** Puts together what detectors read: rows accounted for, the log joined, open edges settled, forks judged. */
import type { AnalysisOptions, ThreadEvidence } from '#analysis/model/evidence.ts';
import { rootNamespace } from '#analysis/model/identifiers.ts';
import { standingOf } from '#analysis/executions/standing.ts';
import { decideFates } from '#analysis/executions/fates.ts';
import { loggedExecutions } from '#analysis/executions/logged.ts';
import { logOnEdges, settleEdges } from '#analysis/executions/settle.ts';
import { withStoredTasks } from '#analysis/executions/stored-tasks.ts';
import { sumNamespace } from '#analysis/executions/sums.ts';
import { taskNames } from '#analysis/executions/task-names.ts';
import { accountThread } from '#analysis/executions/thread-account.ts';
import { classifyFork, type ForkEvidence } from './classify-fork.ts';
import type { AnalysisTools, LogFacts, NamespaceFacts, ThreadFacts } from './facts.ts';
import { withInheritedVerdicts } from './fork-causes.ts';
import { effectTimes } from './fork-runs.ts';
import { ledgerFacts } from './ledger-runs.ts';
import { misreadLeaves } from './misread-leaves.ts';
import { narrowStanding } from './narrow-standing.ts';

/** Gathers the facts of one thread. */
export function gatherFacts(
  evidence: ThreadEvidence,
  options: AnalysisOptions,
  tools: AnalysisTools,
): ThreadFacts {
  const accounted = accountThread(evidence.rows);
  const names = taskNames(accounted, evidence.log?.effects ?? [], tools.hashes);
  const thread = withStoredTasks(accounted, names);
  const log = logFacts(thread, evidence, options);
  const onEdges = log?.onEdges ?? new Map();
  const forkEvidence: ForkEvidence = {
    runs: new Map((evidence.runs ?? []).map((run) => [run.run, run])),
    effects: log === null ? new Map() : effectTimes(log.fates),
  };
  const judged = thread.namespaces.map((account): NamespaceFacts => {
    const edges = settleEdges(account, evidence.log, onEdges);
    const forks = account.forks.map((set) => ({ set, fork: classifyFork(account, set, forkEvidence) }));
    return { account, edges, sums: sumNamespace(account, edges), forks };
  });
  const namespaces = withInheritedVerdicts(judged);
  const byRows = standingOf(thread, thread.byName.get(rootNamespace), names);
  const ledger = ledgerFacts({ evidence, options, thread, standing: byRows });
  const standing = narrowStanding(byRows, { evidence, options, thread, ledger });
  const misread = misreadLeaves(thread, evidence.runs);
  return { evidence, options, tools, thread, namespaces, log, names, misread, standing, ledger };
}

function logFacts(
  thread: ReturnType<typeof accountThread>,
  evidence: ThreadEvidence,
  options: AnalysisOptions,
): LogFacts | null {
  if (evidence.log === null) return null;
  const notNodes = new Set(options.notNodes ?? []);
  const { fates } = decideFates(thread, loggedExecutions(evidence.log), evidence.runs, notNodes);
  return { fates, onEdges: logOnEdges(fates) };
}
