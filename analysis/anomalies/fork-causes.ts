/**
 * Which fork of an enclosing graph made a fork in a subgraph's namespace. Two runs that race at the root both write
 * into the subgraph namespace of the task they share; the rows there fork too, for no reason of their own. Easy to
 * get wrong: only rows planned at the very parent that forked follow from it.
 */
import type { NamespaceAccount } from '#analysis/executions/account.ts';
import { enclosingNamespace } from '#analysis/executions/hang.ts';
import type { SiblingSet } from '#analysis/lineage/siblings.ts';
import { rowAt } from '#analysis/lineage/tree.ts';
import type { JudgedFork, NamespaceFacts } from './facts.ts';

/** The undeclared fork of the enclosing graph at which all children's runs were planned; null for none. */
export function causeAbove(
  namespaces: readonly NamespaceFacts[],
  account: NamespaceAccount,
  set: SiblingSet,
): JudgedFork | null {
  if (namespaces.length === 1) return null;
  const names = new Map(namespaces.map((facts) => [facts.account.namespace, facts]));
  const enclosing = enclosingNamespace(account.namespace, names);
  const above = enclosing === null ? undefined : names.get(enclosing);
  if (above === undefined) return null;
  const planned = new Set(
    set.children.map((child) => rowAt(account.tree, child).parents.get(above.account.namespace)),
  );
  const [parent] = planned;
  if (planned.size !== 1 || parent === undefined) return null;
  return above.forks.find(({ fork }) => fork.parent === parent && !fork.declared) ?? null;
}

/** The namespaces with every fork that follows from one above judged as that one is. */
export function withInheritedVerdicts(namespaces: readonly NamespaceFacts[]): readonly NamespaceFacts[] {
  if (namespaces.length < 2) return namespaces;
  const judged = new Map(namespaces.map((facts) => [facts, facts]));
  const outermostFirst = [...namespaces].sort(
    (a, b) => a.account.namespace.length - b.account.namespace.length,
  );
  for (const facts of outermostFirst) {
    if (facts.forks.length === 0) continue;
    const forks = facts.forks.map((own): JudgedFork => {
      const cause = causeAbove([...judged.values()], facts.account, own.set)?.fork;
      if (cause === undefined) return own;
      const because = `it follows from the fork at ${cause.parent ?? 'the empty thread'}`;
      const { declared, class: kind, verdict } = cause;
      return { set: own.set, fork: { ...own.fork, declared, class: kind, verdict, because } };
    });
    judged.set(facts, { ...facts, forks });
  }
  return namespaces.map((facts) => judged.get(facts) ?? facts);
}
