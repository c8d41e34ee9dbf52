/**
 * Do these counts obey these rules? A node that is absent ran 0 times. Where rows cannot tell a count, a rule is
 * broken or holds only if it does so for every count that is possible.
 */
import type { NodeName } from '#analysis/model/identifiers.ts';
import type { CountRule } from '#analysis/model/invariant.ts';
import type { NodeCounts } from '#analysis/model/report.ts';

/** A broken rule: `leftSum` is less than `rightSum`. */
export interface RuleViolation<Rule extends CountRule = CountRule> {
  readonly rule: Rule;
  readonly leftSum: number;
  /** The rule's constant included. */
  readonly rightSum: number;
}

/** What is known of counts that rows cannot tell; nodes in neither set are exact. */
export interface CountDoubt {
  /** The node ran at least as often as its count says. */
  readonly atLeast: ReadonlySet<NodeName>;
  /** The node ran at most as often as its count says, possibly never. A node in both sets can have run any number of times. */
  readonly atMost: ReadonlySet<NodeName>;
}

export type RuleAnswer = 'holds' | 'broken' | 'undecided';

/** The rules that exact counts break, in the order given. Empty: all hold. Cost: linear in the rules' lengths. */
export function checkRules<Rule extends CountRule>(
  rules: readonly Rule[],
  counts: NodeCounts,
): readonly RuleViolation<Rule>[] {
  const sumOf = (names: readonly NodeName[]): number =>
    names.reduce((sum, name) => sum + (counts.get(name) ?? 0), 0);
  return rules
    .map((rule) => ({ rule, leftSum: sumOf(rule.left), rightSum: sumOf(rule.right) + rule.constant }))
    .filter(({ leftSum, rightSum }) => leftSum < rightSum);
}

/**
 * Whether a rule holds for all, for none or for some of the counts that are possible. A node on both sides is one
 * unknown, not two: `a + b >= a` does not hinge on how often `a` ran.
 */
export function judgeRule(rule: CountRule, counts: NodeCounts, doubt: CountDoubt): RuleAnswer {
  const weights = new Map<NodeName, number>();
  for (const name of rule.left) weights.set(name, (weights.get(name) ?? 0) + 1);
  for (const name of rule.right) weights.set(name, (weights.get(name) ?? 0) - 1);
  let leastSurplus = -rule.constant;
  let mostSurplus = -rule.constant;
  for (const [name, weight] of weights) {
    if (weight === 0) continue;
    const count = counts.get(name) ?? 0;
    const least = doubt.atMost.has(name) ? 0 : count;
    const most = doubt.atLeast.has(name) ? Number.POSITIVE_INFINITY : count;
    leastSurplus += weight * (weight > 0 ? least : most);
    mostSurplus += weight * (weight > 0 ? most : least);
  }
  if (leastSurplus >= 0) return 'holds';
  return mostSurplus < 0 ? 'broken' : 'undecided';
}
