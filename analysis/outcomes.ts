/**
 * The outcome keys of a trial, from its thread's report and evidence. What was executed is what either instrument saw:
 * a line that the log lost and the table holds happened all the same, and is counted under `lostRecords` besides.
 */
import type { ThreadEvidence } from './model/evidence.ts';
import type { Finding, FindingKind } from './model/finding.ts';
import type { NodeCounts, ThreadReport } from './model/report.ts';
import type { OutcomeValue, TrialOutcomes } from './model/trial.ts';
import { addCounts, total, type MutableCounts } from './executions/counts.ts';
import { lostFromLog } from './executions/log-health.ts';
import { countExecutions, loggedExecutions } from './executions/logged.ts';
import { lostKeys } from './executions/lost-keys.ts';
import { providerOutcomes } from './provider/provider-outcomes.ts';

/** Computes the outcomes of one trial. A node that ran nowhere in the trial has no key. */
export function outcomesOf(report: ThreadReport, evidence: ThreadEvidence): TrialOutcomes {
  const outcomes = new Map<string, OutcomeValue>();
  const put = (prefix: string, counts: NodeCounts): void => {
    for (const [node, count] of [...counts].sort((a, b) => (a[0] < b[0] ? -1 : 1))) {
      outcomes.set(`${prefix}.${node}`, count);
    }
  };
  const fold = (pick: (namespace: ThreadReport['namespaces'][number]) => NodeCounts): NodeCounts => {
    const counts: MutableCounts = new Map();
    for (const namespace of report.namespaces) addCounts(counts, pick(namespace));
    return counts;
  };
  if (evidence.log !== null) put('executed', countExecutions(loggedExecutions(evidence.log)));
  put(
    'tree',
    fold((namespace) => namespace.executions.tree),
  );
  put(
    'head',
    fold((namespace) => namespace.executions.head),
  );
  put(
    'hidden',
    fold((namespace) => namespace.hidden),
  );
  const forks = report.namespaces.flatMap((namespace) => namespace.forks);
  const undeclared = forks.filter((fork) => !fork.declared);
  const ofKind = (kind: FindingKind): Finding[] => report.findings.filter((finding) => finding.kind === kind);
  outcomes.set(
    'rows',
    report.namespaces.reduce((sum, { checkpoints }) => sum + checkpoints, 0),
  );
  outcomes.set('forks', forks.length);
  outcomes.set('undeclaredForks', undeclared.length);
  outcomes.set('roots', report.namespaces.find(({ namespace }) => namespace === '')?.roots.length ?? 0);
  outcomes.set('class', undeclared[0]?.class ?? 'none');
  outcomes.set('zombies', ofKind('zombie-effect').length);
  outcomes.set('unrecorded', total(report.unrecorded));
  outcomes.set('lostRecords', lostRecords(evidence, ofKind('unlogged-execution')));
  outcomes.set('sharedBlobs', listLengths(ofKind('shared-blob'), 'pairs'));
  outcomes.set('misreadLeaves', report.misreadLeaves?.length ?? 0);
  outcomes.set(
    'duplicates',
    ofKind('duplicated-effect').filter(({ severity }) => severity === 'error').length,
  );
  const { provider, runs, rows } = evidence;
  for (const [key, value] of providerOutcomes(rows.thread, provider?.calls ?? [], runs ?? [])) {
    outcomes.set(key, value);
  }
  const lost = lostKeys(report, evidence);
  if (lost !== null)
    outcomes.set(
      'lostKeys',
      [...lost.values()].reduce((sum, keys) => sum + keys.size, 0),
    );
  for (const [node, keys] of lost ?? []) outcomes.set(`lostKeys.${node}`, [...keys].sort().join(' '));
  outcomes.set('status', report.status);
  return outcomes;
}

/** Records of this thread that the log lost: held by the table alone, or shown by an edge and by no instrument. */
function lostRecords(evidence: ThreadEvidence, unlogged: readonly Finding[]): number {
  const table = evidence.log?.table ?? null;
  const proven =
    evidence.log === null || table === null ? 0 : lostFromLog(evidence.log.effects, table).length;
  return unlogged.reduce((sum, { details }) => sum + numberOf(details['neither']), proven);
}

function numberOf(value: unknown): number {
  return typeof value === 'number' ? value : 0;
}

function listLengths(findings: readonly Finding[], key: string): number {
  return findings.reduce((sum, { details }) => {
    const list = details[key];
    return sum + (Array.isArray(list) ? list.length : 0);
  }, 0);
}
