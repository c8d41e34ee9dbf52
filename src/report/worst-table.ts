/** The threads to look at first. Columns that would be empty for all of them are left out, so that the table fits. */
import Table from 'cli-table3';
import type { ThreadReport } from '#analysis/model/report.ts';
import { printable } from './printable.ts';
import { plainBorders, type Palette } from './style.ts';

/** The table's text; `worst` is worst first and not empty. */
export function worstTable(worst: readonly ThreadReport[], palette: Palette): string {
  const hasLog = worst.some(({ log }) => log !== null);
  const table = new Table({
    ...plainBorders(palette),
    head: ['worst threads', 'verdict', 'status', 'hidden', ...(hasLog ? ['unrecorded'] : []), 'findings'],
    colWidths: [38, 9, 15, 20, ...(hasLog ? [18] : []), 30],
    wordWrap: true,
    wrapOnWordBoundary: true,
  });
  for (const report of worst) {
    const kinds = new Map<string, number>();
    for (const { kind } of report.findings) kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
    table.push([
      threadText(report),
      report.verdict,
      report.status,
      countsText(hiddenOf(report)),
      ...(hasLog ? [countsText(report.unrecorded)] : []),
      [...kinds].map(([kind, count]) => (count === 1 ? kind : `${kind} x${count}`)).join(', '),
    ]);
  }
  return table.toString();
}

/** With its schema where the source has several: one id in two schemas is two threads. */
function threadText({ schema, thread }: ThreadReport): string {
  return schema === null ? printable(thread, 80) : `${printable(schema, 30)}: ${printable(thread, 60)}`;
}

function hiddenOf(report: ThreadReport): ReadonlyMap<string, number> {
  const sums = new Map<string, number>();
  for (const { hidden } of report.namespaces) {
    for (const [node, count] of hidden) sums.set(node, (sums.get(node) ?? 0) + count);
  }
  return sums;
}

/** More nodes than this are counted, not listed. */
const mostNodes = 4;

/** The sum first: the table is sorted by it. */
function countsText(counts: ReadonlyMap<string, number>): string {
  let sum = 0;
  for (const count of counts.values()) sum += count;
  if (counts.size === 0) return '0';
  const listed = [...counts].sort((a, b) => b[1] - a[1]).slice(0, mostNodes);
  const more = counts.size > mostNodes ? ', …' : '';
  return `${sum}: ${listed.map(([node, count]) => `${printable(node, 40)} ${count}`).join(', ')}${more}`;
}
