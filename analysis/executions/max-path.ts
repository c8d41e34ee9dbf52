/**
 * For each node the greatest number of its executions on any one path from a root to a leaf: what a single reader of
 * the history can see at most. The greatest is taken per node, so two nodes' maxima may lie on different paths.
 */
import type { NodeName } from '#analysis/model/identifiers.ts';
import type { NodeCounts } from '#analysis/model/report.ts';
import { noParent, type Tree } from '#analysis/lineage/tree.ts';
import { walk } from '#analysis/lineage/walk.ts';
import type { MutableCounts } from './counts.ts';

/**
 * The maxima. `tasksOf` gives the tasks on the edge above a row. Cost: rows times the nodes that ran; no recursion.
 */
export function maxPathCounts(tree: Tree, tasksOf: (index: number) => readonly NodeName[]): NodeCounts {
  const greatest: MutableCounts = new Map();
  const { order } = walk(tree);
  const columns = new Map<NodeName, Int32Array>();
  for (let at = 0; at < tree.rows.length; at++) {
    for (const node of tasksOf(at)) {
      let column = columns.get(node);
      if (column === undefined) columns.set(node, (column = new Int32Array(tree.rows.length)));
      column[at] = (column[at] ?? 0) + 1;
    }
  }
  for (const [node, column] of columns) {
    let most = 0;
    for (const at of order) {
      const parent = tree.parentOf[at] ?? noParent;
      if (parent >= 0) column[at] = (column[at] ?? 0) + (column[parent] ?? 0);
      most = Math.max(most, column[at] ?? 0);
    }
    greatest.set(node, most);
  }
  return greatest;
}
