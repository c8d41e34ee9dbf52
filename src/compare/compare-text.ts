/** A comparison of stored series for people, and as `forkscope-compare/1`. */
import Table from 'cli-table3';
import { printable } from '../report/printable.ts';
import { cellText, levelText, methodNames, pText, signedPercent } from '../report/proportion-text.ts';
import { plainBorders, type Palette } from '../report/style.ts';
import type { ComparedRow, SeriesComparison } from './compare-series.ts';

/** The text, without a final line feed. */
export function compareText(comparison: SeriesComparison, palette: Palette): string {
  const { folders, by, interval, unlike, anomalies, rows } = comparison;
  const table = new Table({
    ...plainBorders(palette),
    head: [by === 'arm' ? 'arm' : 'series: arm', ...anomalies, 'completed', 'aborted'],
    colAligns: ['left', ...anomalies.map(() => 'right' as const), 'right', 'right'],
  });
  for (const row of rows)
    table.push([
      printable(row.arm, 120),
      ...row.shares.map(({ share }) => cellText(share, 'not measured')),
      String(row.completed),
      String(row.aborted),
    ]);
  const differing = unlike.map(
    ({ setting, values }) => `unlike: ${setting}: ${values.map((value) => printable(value, 80)).join(' | ')}`,
  );
  return [
    folders.map((folder, index) => `${index + 1}: ${printable(folder, 400)}`).join('\n'),
    ...(differing.length === 0 ? [] : [differing.join('\n')]),
    table.toString(),
    ...(rows.length < 2
      ? []
      : [
          rows
            .slice(1)
            .flatMap((row) => differences(row, rows[0]))
            .join('\n'),
        ]),
    `Shares carry ${levelText(interval.level)} intervals, ${methodNames[interval.method]}.`,
    "Differences carry Newcombe's hybrid score interval; p is Fisher's exact test, adjusted by Holm's method over all of them.",
  ].join('\n\n');
}

function differences(
  { arm, shares, adjusted }: ComparedRow,
  first: ComparedRow | undefined,
): readonly string[] {
  return shares.flatMap(({ anomaly, comparison }) => {
    const p = adjusted.get(anomaly);
    if (comparison === null || p === undefined) return [];
    const { difference, lower, upper } = comparison.difference;
    return [
      `${printable(arm, 120)} against ${printable(first?.arm ?? '', 120)}: ${anomaly} ${signedPercent(difference)} ` +
        `(${signedPercent(lower)} to ${signedPercent(upper)}), p ${pText(p)}`,
    ];
  });
}

/** The comparison as data. */
export function compareJson({ rows, ...comparison }: SeriesComparison): unknown {
  return {
    format: 'forkscope-compare/1',
    ...comparison,
    rows: rows.map(({ adjusted, shares, ...row }) => ({
      ...row,
      shares: shares.map((share) => ({ ...share, adjustedP: adjusted.get(share.anomaly) ?? null })),
    })),
  };
}
