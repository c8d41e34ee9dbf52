/**
 * Broken count rules and what the tree says about why. A log can break a rule because runs began in the middle of the
 * graph, or because it lost records; the tree separates the two, since it shows what the log lacks. Only when neither
 * lost records nor resumed runs explain the counts is a mid-graph start called unexplained.
 */
import type { Finding, Severity, Undecided } from '#analysis/model/finding.ts';
import type { NodeName } from '#analysis/model/identifiers.ts';
import type { CountRule } from '#analysis/model/invariant.ts';
import type { NodeCounts } from '#analysis/model/report.ts';
import { addCounts, addNodes, type MutableCounts } from '#analysis/executions/counts.ts';
import { countExecutions } from '#analysis/executions/logged.ts';
import { checkRules, judgeRule } from '#analysis/invariants/check-rule.ts';
import { printName } from '#analysis/invariants/rule-text.ts';
import type { Detection, ThreadFacts } from './facts.ts';
import { found } from './found.ts';
import { unloggedExecutions } from './log-effects.ts';
import { midGraphEntries } from './mid-graph-entries.ts';
import { ruleWitness } from './rule-witness.ts';

/** Why a rule is broken, as far as the evidence goes. */
export type Cause = 'records-lost' | 'resume' | 'unexplained' | 'cannot-tell';

const severityOf: Readonly<Record<Cause, Severity>> = {
  'records-lost': 'warning',
  resume: 'info',
  unexplained: 'error',
  'cannot-tell': 'warning',
};

/** Checks all rules on the log and on the tree, and looks for runs that began in the middle of the graph. */
export function detectCountRules(facts: ThreadFacts): Detection {
  const { shape } = facts.options;
  const rules = facts.options.rules.filter((rule) => rule.holdsAcrossForks !== false || !isForked(facts));
  if (rules.length === 0 && shape == null) return { findings: [], undecided: [] };
  const tree = treeCounts(facts);
  const log =
    facts.log === null
      ? null
      : countExecutions(
          facts.log.fates.map((fated) => fated.execution).filter((execution) => execution.inLog),
        );
  const findings: Finding[] = [];
  const undecided: Undecided[] = [];
  const corrected = log === null ? null : withUnlogged(facts, log);
  const starts = startsOf(facts, corrected ?? tree.counts);
  const entries = midGraphEntries(facts);
  const explained = starts === null ? entries.total > 0 : entries.total >= starts.runs && starts.runs > 0;
  const doubtful = isDoubtful(facts);
  for (const { rule, leftSum, rightSum } of log === null ? [] : checkRules(rules, log)) {
    const lost = corrected !== null && checkRules([rule], corrected).length === 0;
    const cause: Cause = lost
      ? 'records-lost'
      : explained
        ? 'resume'
        : doubtful
          ? 'cannot-tell'
          : 'unexplained';
    findings.push(violation(facts, rule, 'log', leftSum, rightSum, cause));
  }
  for (const rule of rules) {
    const answer = judgeRule(rule, tree.counts, tree);
    if (answer === 'undecided') {
      undecided.push({
        question: `whether ${rule.text} holds on the tree`,
        reason: 'rows do not tell all counts exactly',
      });
    }
    if (answer !== 'broken') continue;
    const [broken] = checkRules([rule], tree.counts);
    const cause: Cause = explained ? 'resume' : doubtful ? 'cannot-tell' : 'unexplained';
    findings.push(violation(facts, rule, 'tree', broken?.leftSum ?? 0, broken?.rightSum ?? 0, cause));
  }
  if (starts !== null && starts.runs > 0) {
    const cause: Cause = explained ? 'resume' : doubtful ? 'cannot-tell' : 'unexplained';
    findings.push(
      found(facts, 'mid-graph-start', {
        namespace: null,
        because: `at least ${starts.runs} ${starts.runs === 1 ? 'run' : 'runs'} must have begun in the middle of the graph (at ${starts.couldBeginAt.map(printName).join(', ')}); ${causeText(cause, entries.total)}`,
        witness: entries.witness,
        details: { runs: starts.runs, couldBeginAt: starts.couldBeginAt, cause, entries: entries.total },
        severity: severityOf[cause],
        evidence: log === null ? 'rows' : 'rows+log',
      }),
    );
  }
  return { findings, undecided };
}

function violation(
  facts: ThreadFacts,
  rule: CountRule,
  where: 'log' | 'tree',
  leftSum: number,
  rightSum: number,
  cause: Cause,
): Finding {
  const entries = midGraphEntries(facts);
  return found(facts, 'count-violation', {
    namespace: null,
    because: `${rule.text} is broken in the ${where}: ${leftSum} < ${rightSum}; ${causeText(cause, entries.total)}`,
    witness: cause === 'resume' ? entries.witness : ruleWitness(facts, rule, where, leftSum),
    details: { rule: rule.text, where, leftSum, rightSum, cause },
    severity: severityOf[cause],
    evidence: where === 'log' ? 'rows+log' : 'rows',
  });
}

function causeText(cause: Cause, entries: number): string {
  switch (cause) {
    case 'records-lost':
      return 'the tree shows the missing executions, so the log lost their records';
    case 'resume':
      return `${entries} resumed runs, updates or jumps began in the middle, as they may`;
    case 'unexplained':
      return 'no resumed run and no lost record explains it';
    case 'cannot-tell':
      return 'records or rows are missing, so the cause cannot be told';
  }
}

interface TreeCounts {
  readonly counts: NodeCounts;
  readonly atLeast: ReadonlySet<NodeName>;
  readonly atMost: ReadonlySet<NodeName>;
}

function treeCounts(facts: ThreadFacts): TreeCounts {
  const counts: MutableCounts = new Map();
  const atLeast = new Set<NodeName>();
  const atMost = new Set<NodeName>();
  for (const { sums } of facts.namespaces) {
    addCounts(counts, sums.tree);
    for (const node of sums.atLeast) atLeast.add(node);
    for (const node of sums.atMost) atMost.add(node);
  }
  return { counts, atLeast, atMost };
}

/** The log with what the tree proves it lost. */
function withUnlogged(facts: ThreadFacts, log: NodeCounts): NodeCounts {
  const counts: MutableCounts = new Map(log);
  addNodes(
    counts,
    unloggedExecutions(facts).map(({ node }) => node),
  );
  // A lost record need not be on an edge: the second instrument may hold a zombie's.
  for (const { execution, fate } of facts.log?.fates ?? []) {
    if (!execution.inLog && fate.kind !== 'committed') addNodes(counts, [execution.node]);
  }
  return counts;
}

function startsOf(
  facts: ThreadFacts,
  counts: NodeCounts,
): { readonly runs: number; readonly couldBeginAt: readonly NodeName[] } | null {
  if (facts.options.shape == null || facts.tools.explainStarts === null) return null;
  return facts.tools.explainStarts(counts, {
    forked: isForked(facts),
  });
}

function isForked(facts: ThreadFacts): boolean {
  return facts.namespaces.some(({ forks }) => forks.length > 0);
}

/** Whether missing rows or records leave open what else happened. */
function isDoubtful(facts: ThreadFacts): boolean {
  const health = facts.evidence.log?.health;
  if (health != null && (health.lost.length > 0 || health.indeterminate.length > 0)) return true;
  return facts.namespaces.some(({ account }) => account.tree.orphans.length > 0);
}
