/**
 * What does a broken count rule say to somebody who has to act on it? How often the nodes ran, and what the rule
 * allows: "notify ran 3 times; the rule n(notify) <= 1 allows 1". Easy to get wrong: a rule is stored with its
 * constant moved to the right, so a bare comparison of the two sums shows numbers that nobody counted.
 */
import type { NodeName } from '#analysis/model/identifiers.ts';
import type { CountRule } from '#analysis/model/invariant.ts';
import type { NodeCounts } from '#analysis/model/report.ts';
import type { CountDoubt } from '#analysis/invariants/check-rule.ts';
import { printName } from '#analysis/invariants/rule-text.ts';
import { listText } from './found.ts';

/** Where executions were counted. */
export type CountedIn = 'tree' | 'head' | 'log';

/** Counts that a rule is held against. */
export interface CountedNodes<Where extends CountedIn = CountedIn> {
  readonly where: Where;
  readonly counts: NodeCounts;
  /** What rows cannot tell of these counts; null when all are exact. */
  readonly doubt: CountDoubt | null;
}

const place: Readonly<Record<CountedIn, string>> = {
  tree: 'in the tree',
  head: "on the head's lineage",
  log: 'in the log',
};

/** How often the nodes of a rule ran: `in the log charge ran 3 times while plan ran 2 times`. No final full stop. */
export function ranText(rule: CountRule, counted: CountedNodes): string {
  const sides = [rule.right, rule.left].filter((names) => names.length > 0);
  return `${place[counted.where]} ${sides.map((names) => sideText(names, counted)).join(' while ')}`;
}

/** What a broken rule asks, given the counts: `the rule plan >= charge allows charge at most 2`. No final full stop. */
export function askedText({ left, right, constant, text }: CountRule, { counts }: CountedNodes): string {
  const allowed = sumOf(left, counts) - constant;
  if (right.length === 0) return `the rule ${text} asks for at least ${constant}`;
  if (left.length === 0) {
    return allowed < 0 ? `no count can keep the rule ${text}` : `the rule ${text} allows ${allowed}`;
  }
  if (allowed >= 0) return `the rule ${text} allows ${subject(right)} at most ${allowed}`;
  // Fewer than none cannot run: then it is the other side that ran too seldom.
  return `the rule ${text} asks ${subject(left)} for at least ${sumOf(right, counts) + constant}`;
}

function sideText(names: readonly NodeName[], { counts, doubt }: CountedNodes): string {
  const sum = sumOf(names, counts);
  const hedge = hedgeOf(names, doubt);
  const unique = [...new Set(names)];
  const parts = listText(unique.map((name) => `${printName(name)} ${counts.get(name) ?? 0}`));
  if (unique.length < names.length) return `${subject(names)} came to ${hedge}${sum} (${parts})`;
  const ran = `${subject(names)} ${timesText(sum, hedge)}`;
  return names.length === 1 || sum === 0 ? ran : `${ran} (${parts})`;
}

function timesText(count: number, hedge: string): string {
  if (count === 0 && hedge === '') return 'did not run';
  if (count === 1 && hedge === '') return 'ran once';
  return `ran ${hedge}${count} ${count === 1 ? 'time' : 'times'}`;
}

/** One node by its name, several together, a node named twice as the sum that it is. */
function subject(names: readonly NodeName[]): string {
  const printed = names.map(printName);
  if (new Set(names).size < names.length) return printed.join(' + ');
  return printed.length === 1 ? listText(printed) : `${listText(printed)} together`;
}

function sumOf(names: readonly NodeName[], counts: NodeCounts): number {
  return names.reduce((sum, name) => sum + (counts.get(name) ?? 0), 0);
}

function hedgeOf(names: readonly NodeName[], doubt: CountDoubt | null): string {
  const atLeast = names.some((name) => doubt?.atLeast.has(name));
  const atMost = names.some((name) => doubt?.atMost.has(name));
  if (atLeast && atMost) return 'about ';
  return atLeast ? 'at least ' : atMost ? 'at most ' : '';
}
