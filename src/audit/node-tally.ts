/**
 * What ran, node by node, over all threads of a source: on the tree, on heads, hidden, in the log. Easy to get wrong: a
 * sum with one lower bound in it is a lower bound, so bounds are kept beside the sums.
 */
import type { NodeName } from '#analysis/model/identifiers.ts';
import type { NodeCounts, ThreadReport } from '#analysis/model/report.ts';

/** Sums over threads for one node; `maxPath` sums each thread's greatest count on one path. */
export interface NodeTotals {
  tree: number;
  head: number;
  maxPath: number;
  hidden: number;
  pending: number;
  /** Null when no thread had a log. */
  log: number | null;
  unrecorded: number;
  unlogged: number;
  /** Some thread's tree count is a lower bound. */
  atLeast: boolean;
  /** Some thread's tree count is an upper bound. */
  atMost: boolean;
}

const summed = ['tree', 'head', 'maxPath', 'hidden', 'pending', 'log', 'unrecorded', 'unlogged'] as const;
type Summed = (typeof summed)[number];

/** Accumulates; its size is that of the graphs. */
export class NodeTally {
  readonly #nodes = new Map<NodeName, NodeTotals>();

  add(report: ThreadReport): void {
    for (const { executions, hidden, atLeast, atMost } of report.namespaces) {
      this.#sum('tree', executions.tree);
      this.#sum('head', executions.head);
      this.#sum('maxPath', executions.maxPath);
      this.#sum('pending', executions.pending);
      this.#sum('hidden', hidden);
      for (const node of atLeast) this.#of(node).atLeast = true;
      for (const node of atMost) this.#of(node).atMost = true;
    }
    if (report.log !== null) this.#sum('log', report.log);
    this.#sum('unrecorded', report.unrecorded);
    for (const { kind, details } of report.findings) {
      if (kind === 'unlogged-execution') this.#sum('unlogged', listedCounts(details['counts']));
    }
  }

  /** Adds the sums of other threads. */
  merge(nodes: ReadonlyMap<NodeName, NodeTotals>): void {
    for (const [node, other] of nodes) {
      const totals = this.#of(node);
      for (const what of summed) {
        const count = other[what];
        if (count !== null) totals[what] = (totals[what] ?? 0) + count;
      }
      totals.atLeast ||= other.atLeast;
      totals.atMost ||= other.atMost;
    }
  }

  /** Most executions first, then by name. A node that the log never named has log 0 where others have a log. */
  get nodes(): ReadonlyMap<NodeName, NodeTotals> {
    const hasLog = [...this.#nodes.values()].some(({ log }) => log !== null);
    const weight = ({ tree, log }: NodeTotals): number => tree + (log ?? 0);
    return new Map(
      [...this.#nodes]
        .sort((a, b) => weight(b[1]) - weight(a[1]) || (a[0] < b[0] ? -1 : 1))
        .map(([node, totals]) => [node, { ...totals, log: totals.log ?? (hasLog ? 0 : null) }]),
    );
  }

  #sum(what: Summed, counts: NodeCounts): void {
    for (const [node, count] of counts) {
      const totals = this.#of(node);
      totals[what] = (totals[what] ?? 0) + count;
    }
  }

  #of(node: NodeName): NodeTotals {
    let totals = this.#nodes.get(node);
    if (totals === undefined) {
      const none = { tree: 0, head: 0, maxPath: 0, hidden: 0, pending: 0, unrecorded: 0, unlogged: 0 };
      totals = { ...none, log: null, atLeast: false, atMost: false };
      this.#nodes.set(node, totals);
    }
    return totals;
  }
}

/** The counts that a finding's details list by node. */
function listedCounts(list: unknown): NodeCounts {
  const counts = new Map<NodeName, number>();
  for (const entry of Array.isArray(list) ? (list as readonly unknown[]) : []) {
    if (typeof entry !== 'object' || entry === null) continue;
    const { node, count } = entry as { readonly node?: unknown; readonly count?: unknown };
    if (typeof node === 'string' && typeof count === 'number') counts.set(node as NodeName, count);
  }
  return counts;
}
