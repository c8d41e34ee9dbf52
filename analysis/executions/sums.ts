/**
 * The sums of a namespace's executions: over the tree, over what the head shows, per path, hidden. Only certain
 * executions are called hidden, so tree = head + hidden holds wherever no count is an upper bound.
 */
import type { NodeName } from '#analysis/model/identifiers.ts';
import type { NodeCounts } from '#analysis/model/report.ts';
import { addNodes, noCounts, type MutableCounts } from './counts.ts';
import type { EdgeAccount } from './edge-account.ts';
import { maxPathCounts } from './max-path.ts';
import type { NamespaceAccount } from './account.ts';

/** The sums of one namespace. */
export interface NamespaceSums {
  readonly tree: NodeCounts;
  readonly head: NodeCounts;
  readonly maxPath: NodeCounts;
  readonly hidden: NodeCounts;
  /** Nodes whose tree count is a lower bound, ascending. */
  readonly atLeast: readonly NodeName[];
  /** Nodes whose tree count is an upper bound, ascending. */
  readonly atMost: readonly NodeName[];
}

const noNodes: readonly NodeName[] = [];

/** Sums a namespace. *Cost*: linear for a chain, rows times nodes for a branched tree. */
export function sumNamespace(account: NamespaceAccount, edges: readonly EdgeAccount[]): NamespaceSums {
  const tree: MutableCounts = new Map();
  const head: MutableCounts = new Map();
  const hidden: MutableCounts = new Map();
  let anyHidden = false;
  const atLeast = new Set<NodeName>();
  const atMost = new Set<NodeName>();
  for (let at = 0; at < edges.length; at++) {
    const edge = edges[at];
    if (edge === undefined || edge.tasks.length === 0) continue;
    addNodes(tree, edge.tasks);
    if (edge.incomplete !== null) for (const node of edge.tasks) atLeast.add(node);
    for (const node of edge.uncertain) atMost.add(node);
    if (account.hidden[at] === 1) {
      anyHidden = true;
      addNodes(hidden, edge.uncertain.length === 0 ? edge.tasks : certainTasks(edge));
    } else addNodes(head, edge.tasks);
  }
  return {
    tree,
    head: anyHidden ? head : tree,
    maxPath: account.tree.isChain ? tree : maxPathCounts(account.tree, (at) => edges[at]?.tasks ?? noNodes),
    hidden: anyHidden ? hidden : noCounts,
    atLeast: atLeast.size === 0 ? noNodes : [...atLeast].sort(),
    atMost: atMost.size === 0 ? noNodes : [...atMost].sort(),
  };
}

/** The tasks of an edge that its run surely ran. */
export function certainTasks(edge: EdgeAccount): NodeName[] {
  const doubtful = new Map<NodeName, number>();
  for (const node of edge.uncertain) doubtful.set(node, (doubtful.get(node) ?? 0) + 1);
  return edge.tasks.filter((node) => {
    const count = doubtful.get(node) ?? 0;
    if (count > 0) doubtful.set(node, count - 1);
    return count === 0;
  });
}
