/**
 * Matrices of arms and anomalies for people: counts with intervals, latency as a ratio, and for each arm what its
 * numbers prove of it. An anomaly that no arm of a table has, and none of them claims anything of, gets no column.
 */
import Table from 'cli-table3';
import type { AnomalyShare, MatrixArm, TriggerMatrix } from '#analysis/comparison/arm-matrix.ts';
import { pushTo } from '#analysis/model/maps.ts';
import { claimLines, differenceText, verdictTitle } from './arm-verdict-text.ts';
import { printable } from './printable.ts';
import { cellText, percent } from './proportion-text.ts';
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
    const anomalies = arms[0]?.shares.map(({ anomaly }) => anomaly) ?? [];
    const shown = anomalies.filter((anomaly) => arms.some((arm) => concerns(arm, anomaly)));
    const [never, unmeasured] = withoutColumn(
      arms,
      anomalies.filter((anomaly) => !shown.includes(anomaly)),
    );
    return [
      paint(palette, 'strong', title),
      tableOf(arms, shown, palette),
      ...(never.length === 0 ? [] : [`in no trial of any arm here: ${never.join(', ')}`]),
      ...(unmeasured.length === 0 ? [] : [`measured in no arm here: ${unmeasured.join(', ')}`]),
      ...arms.flatMap((arm, place) => proofOf(arm, place === 0 ? null : (arms[0]?.arm ?? ''), palette)),
    ].join('\n');
  });
}

/** It occurred in the arm, or the arm claims something of it. */
function concerns({ shares, verdict }: MatrixArm, anomaly: string): boolean {
  return (
    verdict?.claims.some((claim) => claim.anomaly === anomaly) === true ||
    shares.some(({ anomaly: name, share }) => name === anomaly && (share?.count ?? 0) > 0)
  );
}

/** Anomalies that were looked for, and those that nothing looked for. */
function withoutColumn(
  arms: readonly MatrixArm[],
  anomalies: readonly string[],
): readonly [string[], string[]] {
  const measured = new Set(
    arms.flatMap(({ shares }) => shares.flatMap(({ anomaly, share }) => (share === null ? [] : [anomaly]))),
  );
  return [anomalies.filter((name) => measured.has(name)), anomalies.filter((name) => !measured.has(name))];
}

function tableOf(arms: readonly MatrixArm[], anomalies: readonly string[], palette: Palette): string {
  const table = new Table({
    ...plainBorders(palette),
    head: ['arm', ...anomalies, 'overlapped', 'latency', 'aborted'],
    colAligns: ['left', ...anomalies.map(() => 'right' as const), 'right', 'right', 'right'],
  });
  for (const arm of arms) {
    const shares = new Map(arm.shares.map(({ anomaly, share }) => [anomaly, share]));
    table.push([
      nameOf(arm.arm),
      ...anomalies.map((anomaly) => cellText(shares.get(anomaly) ?? null, 'not measured')),
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
  return printable(arm.split('@', 1)[0] ?? arm);
}

/** The arm's verdict, and what of the rest it changes against the first arm of its table; `baseline`: null for that arm. */
function proofOf(arm: MatrixArm, baseline: string | null, palette: Palette): readonly string[] {
  const { verdict } = arm;
  const claimed = new Set(verdict?.claims.map(({ anomaly }) => anomaly));
  const rest = arm.shares.filter(({ anomaly }) => !claimed.has(anomaly));
  const changes = baseline === null ? [] : changesOf(rest, nameOf(baseline));
  const lines = [...(verdict === null ? [] : claimLines(verdict, nameOf)), ...changes];
  if (verdict === null && lines.length === 0) return [];
  const title = verdict === null ? `${nameOf(arm.arm)}:` : verdictTitle(nameOf(arm.arm), verdict, palette);
  return [title, ...lines.map((line) => `  ${line}`)];
}

/** Anomalies with equal numbers share a line. */
function changesOf(shares: readonly AnomalyShare[], baseline: string): readonly string[] {
  const alike = new Map<string, string[]>();
  for (const { anomaly, share, comparison } of shares) {
    if (share === null || comparison === null) continue;
    const { difference } = comparison;
    const against = `(${differenceText(comparison)})`;
    const counted = `${share.count}/${share.of}`;
    if (difference.upper < 0 && share.count === 0)
      pushTo(alike, `none of ${share.of}, so less than ${percent(share.interval.upper)} ${against}`, anomaly);
    else if (difference.upper < 0)
      pushTo(alike, `${counted}, less often than ${baseline} ${against}`, anomaly);
    else if (difference.lower > 0)
      pushTo(alike, `${counted}, more often than ${baseline} ${against}`, anomaly);
    else if (share.count > 0)
      pushTo(alike, `${counted}, no difference from ${baseline} shown ${against}`, anomaly);
  }
  return [...alike].map(
    ([line, anomalies]) => `${anomalies.map((name) => printable(name)).join(', ')}: ${line}`,
  );
}
