/**
 * Matrices of arms and anomalies for people: counts with intervals, latency as a ratio, and for each arm one sentence
 * of what its numbers prove.
 */
import Table from 'cli-table3';
import type { AnomalyShare, MatrixArm, TriggerMatrix } from '#analysis/comparison/arm-matrix.ts';
import { printable } from './printable.ts';
import { intervalText, percent } from './proportion-text.ts';
import { paint, plainBorders, type Palette } from './style.ts';

/** How to read the numbers below the matrices. */
export const matrixNote =
  "Differences carry Newcombe's hybrid score interval; p is Fisher's exact test, two-sided, not adjusted for the number of\n" +
  'comparisons. Latency is the ratio of medians to the first arm of the table, of requests that were served to the end.';

/** One text a matrix. */
export function matrixTexts(matrices: readonly TriggerMatrix[], palette: Palette): readonly string[] {
  return matrices.map(({ trigger, arms }) => {
    const title =
      trigger === null ? "the scenario's own race (natural)" : `trigger (forced): ${printable(trigger)}`;
    return [
      paint(palette, 'strong', title),
      tableOf(arms, palette),
      ...arms.slice(1).map((arm) => sentence(arm, arms[0]?.arm ?? '')),
    ].join('\n');
  });
}

function tableOf(arms: readonly MatrixArm[], palette: Palette): string {
  const anomalies = arms[0]?.shares.map(({ anomaly }) => anomaly) ?? [];
  const table = new Table({
    ...plainBorders(palette),
    head: ['arm', ...anomalies, 'overlapped', 'latency', 'aborted'],
    colAligns: ['left', ...anomalies.map(() => 'right' as const), 'right', 'right', 'right'],
  });
  for (const arm of arms) {
    table.push([
      printable(nameOf(arm.arm)),
      ...arm.shares.map(cellText),
      arm.overlapped === null ? '' : `${arm.overlapped.count}/${arm.overlapped.of}`,
      arm.latency === null
        ? ''
        : `x ${arm.latency.ratio.toFixed(2)}\n${arm.latency.lower.toFixed(2)} to ${arm.latency.upper.toFixed(2)}`,
      String(arm.aborted),
    ]);
  }
  return table.toString();
}

/** The trigger stands above the table. */
function nameOf(arm: string): string {
  return arm.split('@', 1)[0] ?? arm;
}

function cellText({ share }: AnomalyShare): string {
  return share === null ? 'not measured' : `${share.count}/${share.of}\n${intervalText(share.interval)}`;
}

/** What an arm changes against the first of its table; anomalies with equal numbers share a part. */
function sentence({ arm, shares }: MatrixArm, baseline: string): string {
  const parts = new Map<string, string[]>();
  const tell = (what: string, anomaly: string): void => {
    const known = parts.get(what);
    if (known === undefined) parts.set(what, [anomaly]);
    else known.push(anomaly);
  };
  for (const { anomaly, share, comparison } of shares) {
    if (share === null || comparison === null) continue;
    const { difference, pValue } = comparison;
    const against = `${signed(difference.difference)}, ${signed(difference.lower)} to ${signed(difference.upper)}, p ${pText(pValue)}`;
    if (difference.upper < 0 && share.count === 0)
      tell(`none of ${share.of}, so less than ${percent(share.interval.upper)} (${against}):`, anomaly);
    else if (difference.upper < 0) tell(`less often (${against}):`, anomaly);
    else if (difference.lower > 0) tell(`more often (${against}):`, anomaly);
    else if (share.count > 0) tell(`no difference shown (${against}):`, anomaly);
  }
  const told = [...parts].map(([what, anomalies]) => `\n  ${what} ${anomalies.join(', ')}`);
  return `${printable(nameOf(arm))} against ${printable(nameOf(baseline))}:${told.length === 0 ? ' no difference shown' : told.join('')}`;
}

function signed(fraction: number): string {
  return `${fraction > 0 ? '+' : ''}${percent(fraction)}`;
}

function pText(p: number): string {
  return p < 0.0001 ? '< 0.0001' : p.toFixed(4);
}
