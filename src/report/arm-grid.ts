/**
 * Arms side by side in a grid: a row and a column for what they differ in, and in each cell what came out, how often of
 * how many. A cell whose trials agree is one line; others list every variant, the most frequent first.
 */
import Table from 'cli-table3';
import type { ArmSummary } from '#analysis/model/trial.ts';
import type { SeriesFile } from '../rundir/series-file.ts';
import { printable } from './printable.ts';
import { intervalText } from './proportion-text.ts';
import { plainBorders, type Palette } from './style.ts';

/** The grid; null where the series has none, or only one arm. */
export function armGrid(
  { grid, compared }: SeriesFile,
  arms: readonly ArmSummary[],
  palette: Palette,
): string | null {
  if (grid === undefined || arms.length < 2) return null;
  const cells = new Map(compared.map(({ name, cell, summary }) => [name, { cell, summary }]));
  const rows = new Map<string, Map<string, ArmSummary>>();
  const columns = new Set<string>();
  for (const arm of arms) {
    const cell = cells.get(arm.arm)?.cell;
    if (cell === undefined) return null;
    columns.add(cell.column);
    const row = rows.get(cell.row);
    if (row === undefined) rows.set(cell.row, new Map([[cell.column, arm]]));
    else row.set(cell.column, arm);
  }
  const table = new Table({ ...plainBorders(palette), head: [grid.rows, ...columns].map(inTable) });
  for (const [row, byColumn] of rows) {
    table.push([inTable(row), ...[...columns].map((column) => cellText(byColumn.get(column), grid.outcome))]);
  }
  return table.toString();
}

function cellText(arm: ArmSummary | undefined, outcome: string): string {
  if (arm === undefined) return '';
  const values = arm.outcomes.find(({ key }) => key === outcome)?.values ?? [];
  const lines = values.map(({ value, count, of, interval }) =>
    count === of
      ? `${inTable(String(value))}  ${count}/${of}`
      : `${inTable(String(value))}  ${count}/${of} (${intervalText(interval)})`,
  );
  if (arm.aborted > 0) lines.push(`${arm.aborted} aborted`);
  return lines.join('\n');
}

function inTable(text: string): string {
  return printable(text, 80);
}
