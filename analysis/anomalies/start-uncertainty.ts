/**
 * How long before its first row a run may have begun: the doubt in telling a second run that loaded the parent as the
 * head from one that asked for it by id. An input row is written as soon as the thread is loaded; a resumed run's
 * first row comes only after its first superstep, whose length the thread's own supersteps suggest.
 */
import type { NamespaceAccount } from '#analysis/executions/account.ts';
import { noParent, rowAt } from '#analysis/lineage/tree.ts';
import { idTimeMs } from '#analysis/rows/id-time.ts';
import { reentered } from '#analysis/rows/re-entry.ts';
import type { ForkChild } from './fork-children.ts';

/**
 * From loading a thread to its input row, and from a row's id to its being readable: measured 1 to 10 ms on an idle
 * machine, so 15 leaves room without hiding sequential time travel in tests.
 */
const loadMs = 15;

/** The doubt in milliseconds about when the run of `later` began, before its first row. */
export function startUncertaintyMs(
  account: NamespaceAccount,
  later: ForkChild,
  siblings: readonly ForkChild[],
): number {
  if (later.origin === 'input' && account.edges[later.index]?.kind !== 'compacted') return loadMs;
  return loadMs + 2 * (sameSuperstepMs(account, later, siblings) ?? longestSuperstepMs(account));
}

/** How long the very same tasks took in the run that wrote the parent; null when no sibling shows it. */
function sameSuperstepMs(
  account: NamespaceAccount,
  later: ForkChild,
  siblings: readonly ForkChild[],
): number | null {
  const parent = account.tree.parentOf[later.index] ?? noParent;
  const late = siblings.find((child) => child.origin === 'late' && child !== later);
  if (parent < 0 || late === undefined || account.edges[late.index]?.kind !== 'superstep') return null;
  const from = idTimeMs(rowAt(account.tree, parent).id);
  const to = idTimeMs(late.row.id);
  return from === null || to === null ? null : to - from;
}

// A namespace is asked once for each pair of racing children; a star of thousands has thousands of pairs.
const longest = new WeakMap<NamespaceAccount, number>();

function longestSuperstepMs(account: NamespaceAccount): number {
  const known = longest.get(account) ?? findLongestSuperstepMs(account);
  longest.set(account, known);
  return known;
}

/** The longest time between a row and its child within one run. */
function findLongestSuperstepMs(account: NamespaceAccount): number {
  const { tree, edges } = account;
  let longestMs = 0;
  for (let child = 0; child < tree.rows.length; child++) {
    const parent = tree.parentOf[child] ?? noParent;
    if (edges[child]?.kind !== 'superstep' || parent < 0) continue;
    if (reentered(rowAt(tree, parent), rowAt(tree, child))) continue;
    const from = idTimeMs(rowAt(tree, parent).id);
    const to = idTimeMs(rowAt(tree, child).id);
    if (from !== null && to !== null) longestMs = Math.max(longestMs, to - from);
  }
  return longestMs;
}
