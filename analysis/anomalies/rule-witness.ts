/**
 * The smallest evidence of a broken count rule: as many executions of the right side as it takes to pass the left, or,
 * where the rule asks for a number of executions, the too few that there are. On the tree these are the rows on whose
 * edges they were committed, in the log the checkpoints and tasks it names. Easy to get wrong: what did not run has no
 * id, so the witness of `plan >= 1` can be empty.
 */
import { rowAt } from '#analysis/lineage/tree.ts';
import type { NodeName } from '#analysis/model/identifiers.ts';
import type { CountRule } from '#analysis/model/invariant.ts';
import type { ThreadFacts } from './facts.ts';

/** A witness longer than this helps nobody; the sums say the rest. */
const most = 10;

/** Ids of the executions that break the rule, at most ten. Cost: linear in the thread. */
export function ruleWitness(
  facts: ThreadFacts,
  rule: CountRule,
  where: 'log' | 'tree',
  leftSum: number,
): string[] {
  const isMinimum = rule.right.length === 0;
  const counted = new Set<NodeName>(isMinimum ? rule.left : rule.right);
  const enough = isMinimum ? most : Math.min(most, Math.max(1, leftSum - rule.constant + 1));
  const ids = where === 'log' ? loggedIds(facts, counted) : committedIds(facts, counted);
  return ids.slice(0, enough);
}

function committedIds(facts: ThreadFacts, counted: ReadonlySet<NodeName>): string[] {
  const ids: string[] = [];
  for (const { account, edges } of facts.namespaces) {
    for (const [at, edge] of edges.entries()) {
      for (const node of edge.tasks) if (counted.has(node)) ids.push(rowAt(account.tree, at).id);
    }
  }
  return ids;
}

function loggedIds(facts: ThreadFacts, counted: ReadonlySet<NodeName>): string[] {
  return (facts.log?.fates ?? [])
    .filter(({ execution }) => execution.inLog && counted.has(execution.node))
    .map(({ execution }) => {
      const [{ task, parent, run, wallMs }] = execution.effects;
      return task ?? parent ?? run ?? `${execution.node} at ${String(wallMs)}`;
    });
}
