/**
 * Shares with their intervals as bars below one scale from 0 to 100 %: one line each, so that neighbours are compared at a
 * glance. Drawn for the eye alone; the numbers stand in a table. A line without a share stays empty and keeps its label.
 */
import type { Proportion } from '#analysis/model/interval.ts';

/** One line. The label must already be printable. */
export interface BarLine {
  readonly label: string;
  /** Null: nothing was measured. */
  readonly share: Proportion | null;
}

const columns = 61;
const scale = ['0 %', '50 %'.padStart(29), '100 %'.padStart(29)].join('');

/** The scale, and below it a line each: `├─●─┤` from the lower to the upper bound, the share at the dot. */
export function intervalBars(lines: readonly BarLine[]): string {
  const width = Math.max(0, ...lines.map(({ label }) => label.length));
  return [
    `${' '.repeat(width)}  ${scale}`,
    ...lines.map(({ label, share }) => `${label.padStart(width)} │${share === null ? '' : barOf(share)}`),
  ].join('\n');
}

function barOf({ count, of, interval: { lower, upper } }: Proportion): string {
  const [from, at, to] = [lower, count / of, upper].map((value) => Math.round(value * (columns - 1)));
  return Array.from({ length: columns }, (_, column) => {
    if (column === at) return '●';
    if (column === from) return '├';
    if (column === to) return '┤';
    return column > (from ?? 0) && column < (to ?? 0) ? '─' : ' ';
  })
    .join('')
    .trimEnd();
}
