/** What ran, node by node, over all threads: the table that shows whether tree, head and log agree. */
import Table from 'cli-table3';
import type { NodeTotals } from '../audit/node-tally.ts';
import { printable } from './printable.ts';
import { plainBorders, type Palette } from './style.ts';

/** More nodes than this are counted, not listed. */
const mostNodes = 40;

/** The table's text; null when no row and no log names a node. */
export function nodesTable(nodes: ReadonlyMap<string, NodeTotals>, palette: Palette): string | null {
  if (nodes.size === 0) return null;
  const hasLog = [...nodes.values()].some(({ log }) => log !== null);
  const logged = hasLog ? ['log', 'unrecorded', 'unlogged'] : [];
  const table = new Table({
    ...plainBorders(palette),
    head: ['node', 'tree', 'head', 'max path', 'hidden', 'pending', ...logged],
    colAligns: ['left', 'right', 'right', 'right', 'right', 'right', 'right', 'right', 'right'],
  });
  for (const [node, totals] of [...nodes].slice(0, mostNodes)) {
    const { head, maxPath, hidden, pending, log, unrecorded, unlogged } = totals;
    const rest = hasLog ? [log ?? 0, unrecorded, unlogged] : [];
    const cells = [head, maxPath, hidden, pending, ...rest].map(String);
    table.push([printable(node, 40), treeText(totals), ...cells]);
  }
  const left = nodes.size - mostNodes;
  return left > 0 ? `${table.toString()}\n… and ${left} nodes more` : table.toString();
}

function treeText({ tree, atLeast, atMost }: NodeTotals): string {
  if (atLeast && atMost) return `about ${tree}`;
  return atLeast ? `${tree} or more` : atMost ? `${tree} or fewer` : String(tree);
}
