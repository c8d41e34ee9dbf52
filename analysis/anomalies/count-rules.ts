/**
 * Broken count rules and what the tree says about why. A log can break a rule because runs began in the middle of the
 * graph, or because it lost records; the tree separates the two, since it shows what the log lacks. Only when neither
 * lost records nor resumed runs explain the counts is a mid-graph start called unexplained. Easy to get wrong: a bound
 * by a number alone (`n(notify) <= 1`) compares no two nodes, so a run that began in the middle excuses nothing there.
 */
import type { Finding, Severity, Undecided } from '#analysis/model/finding.ts';
import type { NodeName } from '#analysis/model/identifiers.ts';
import type { CountRule } from '#analysis/model/invariant.ts';
import type { NodeCounts } from '#analysis/model/report.ts';
import { addCounts, addNodes, type MutableCounts } from '#analysis/executions/counts.ts';
import { countExecutions } from '#analysis/executions/logged.ts';
import { checkRules, judgeRule, type RuleViolation } from '#analysis/invariants/check-rule.ts';
import { printName } from '#analysis/invariants/rule-text.ts';
import type { Detection, ThreadFacts } from './facts.ts';
import { found } from './found.ts';
import { unloggedExecutions } from './log-effects.ts';
import { midGraphEntries } from './mid-graph-entries.ts';
import { askedText, ranText, type CountedNodes } from './rule-sentence.ts';
import { ruleWitness } from './rule-witness.ts';

/** Why a rule is broken, as far as the evidence goes. */
export type Cause = 'records-lost' | 'resume' | 'unexplained' | 'cannot-tell' | 'bound-broken';

const severityOf: Readonly<Record<Cause, Severity>> = {
  'records-lost': 'warning',
  resume: 'info',
  unexplained: 'error',
  'cannot-tell': 'warning',
  'bound-broken': 'error',
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
  const startCause: Cause = explained ? 'resume' : doubtful ? 'cannot-tell' : 'unexplained';
  const causeOf = (rule: CountRule): Cause => {
    // Missing records and rows can only add to what already is too much.
    if (rule.left.length === 0) return 'bound-broken';
    if (rule.right.length === 0) return doubtful ? 'cannot-tell' : 'bound-broken';
    return startCause;
  };
  if (log !== null && corrected !== null) {
    for (const violation of checkRules(rules, log)) {
      const { rule } = violation;
      const lost = checkRules([rule], corrected).length === 0;
      const cause = lost ? 'records-lost' : causeOf(rule);
      findings.push(brokenRule(facts, violation, { where: 'log', counts: log, doubt: null }, cause));
    }
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
    const counted: CountedNodes<'tree'> = { where: 'tree', counts: tree.counts, doubt: tree };
    for (const violation of checkRules([rule], tree.counts)) {
      findings.push(brokenRule(facts, violation, counted, causeOf(rule)));
    }
  }
  if (starts !== null && starts.runs > 0) {
    const cause = startCause;
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

function brokenRule(
  facts: ThreadFacts,
  { rule, leftSum, rightSum }: RuleViolation,
  counted: CountedNodes<'tree' | 'log'>,
  cause: Cause,
): Finding {
  const { where } = counted;
  const entries = midGraphEntries(facts);
  const broken = `${ranText(rule, counted)}; ${askedText(rule, counted)}`;
  const head = where === 'tree' ? headThatKeeps(facts, rule) : null;
  return found(facts, 'count-violation', {
    namespace: null,
    because: `${broken}${head === null ? '' : `; ${ranText(rule, head)}, which alone keeps it`}; ${causeText(cause, entries.total)}`,
    witness: cause === 'resume' ? entries.witness : ruleWitness(facts, rule, where, leftSum),
    details: { rule: rule.text, where, leftSum, rightSum, cause },
    severity: severityOf[cause],
    evidence: where === 'log' ? 'rows+log' : 'rows',
  });
}

/** What the head shows, where that keeps a rule which all branches together break: nobody who reads the state sees it. */
function headThatKeeps(facts: ThreadFacts, rule: CountRule): CountedNodes | null {
  const counts: MutableCounts = new Map();
  for (const { sums } of facts.namespaces) addCounts(counts, sums.head);
  const doubt = treeCounts(facts);
  return judgeRule(rule, counts, doubt) === 'holds' ? { where: 'head', counts, doubt } : null;
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
    case 'bound-broken':
      return 'a bound by a number holds for every run, resumed or not';
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
