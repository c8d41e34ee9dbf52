/**
 * What an arm's numbers prove of what it is for. A remedy claims to prevent anomalies, a mutant of one claims to show its
 * defect. Easy to get wrong: that an anomaly never occurred proves nothing of a remedy unless another arm shows, in the
 * same experiment, that it could have; and one occurrence is enough to break a claim of prevention, however wide its
 * interval.
 */
import { assertNever } from '../model/bug.ts';
import type { Proportion } from '../model/interval.ts';
import { compareArms, type ArmComparison } from './compare-proportions.ts';

/** What an arm is for, by the names of anomalies. */
export type ArmClaim =
  | { readonly kind: 'prevents'; readonly anomalies: readonly string[] }
  | { readonly kind: 'shows'; readonly anomaly: string };

/**
 * `held`: it never occurred, and significantly more often elsewhere; `broken`: it occurred; `untested`: it never
 * occurred, but no other arm proves that it could have; `shown`, `not-shown`: a mutant's defect; `not-measured`: nothing
 * looked.
 */
export type ClaimOutcome = 'held' | 'broken' | 'untested' | 'shown' | 'not-shown' | 'not-measured';

/** Another arm under the same trigger, and how it differs. */
export interface Contrast {
  readonly arm: string;
  readonly share: Proportion;
  /** The claiming arm against this one. */
  readonly comparison: ArmComparison | null;
}

/** One anomaly that an arm claims something of. */
export interface ClaimVerdict {
  readonly anomaly: string;
  readonly outcome: ClaimOutcome;
  readonly share: Proportion | null;
  /**
   * Of a remedy: the arm that shows the anomaly most clearly. Of a mutant: a remedy that claims to prevent it, its sound
   * twin. Null: there is none.
   */
  readonly contrast: Contrast | null;
}

/** The verdict on an arm. */
export interface ArmVerdict {
  /** The worst of its claims. */
  readonly outcome: ClaimOutcome;
  readonly claims: readonly ClaimVerdict[];
  /** What it does not claim to prevent and did not: anomalies that occurred. */
  readonly remains: readonly { readonly anomaly: string; readonly share: Proportion }[];
}

/** An arm under one trigger with its claim. */
export interface ClaimingRow {
  readonly arm: string;
  /** Null: nothing measured the anomaly in this arm. */
  readonly shares: readonly { readonly anomaly: string; readonly share: Proportion | null }[];
  readonly claim: ArmClaim | null;
}

const worstFirst: readonly ClaimOutcome[] = [
  'broken',
  'not-measured',
  'untested',
  'not-shown',
  'held',
  'shown',
];

/** The verdict on one of the rows under a trigger; null for an arm that claims nothing. `level` as of the shares. */
export function armVerdict(row: ClaimingRow, rows: readonly ClaimingRow[], level: number): ArmVerdict | null {
  const { claim } = row;
  if (claim === null) return null;
  const others = rows.filter((other) => other !== row);
  const claims = claimVerdicts(row, claim, others, level);
  const outcome = worstFirst.find((kind) => claims.some((verdict) => verdict.outcome === kind));
  if (outcome === undefined) return null;
  const claimed = new Set(claims.map(({ anomaly }) => anomaly));
  return {
    outcome,
    claims,
    remains: row.shares.flatMap(({ anomaly, share }) =>
      share === null || share.count === 0 || claimed.has(anomaly) ? [] : [{ anomaly, share }],
    ),
  };
}

function claimVerdicts(
  row: ClaimingRow,
  claim: ArmClaim,
  others: readonly ClaimingRow[],
  level: number,
): readonly ClaimVerdict[] {
  switch (claim.kind) {
    case 'prevents':
      return claim.anomalies.map((anomaly) => prevention(anomaly, shareIn(row, anomaly), others, level));
    case 'shows':
      return [defect(claim.anomaly, shareIn(row, claim.anomaly), others, level)];
    default:
      return assertNever(claim);
  }
}

function prevention(
  anomaly: string,
  share: Proportion | null,
  others: readonly ClaimingRow[],
  level: number,
): ClaimVerdict {
  const contrast = contrasts(anomaly, share, others, level).reduce<Contrast | null>(
    (clearest, next) =>
      clearest === null || next.share.interval.lower > clearest.share.interval.lower ? next : clearest,
    null,
  );
  const isLessThanThere = (contrast?.comparison?.difference.upper ?? 0) < 0;
  if (share === null) return { anomaly, outcome: 'not-measured', share, contrast };
  if (share.count > 0) return { anomaly, outcome: 'broken', share, contrast };
  return { anomaly, outcome: isLessThanThere ? 'held' : 'untested', share, contrast };
}

function defect(
  anomaly: string,
  share: Proportion | null,
  others: readonly ClaimingRow[],
  level: number,
): ClaimVerdict {
  const twins = others.filter(({ claim }) => claim?.kind === 'prevents' && claim.anomalies.includes(anomaly));
  const contrast = contrasts(anomaly, share, twins, level)[0] ?? null;
  if (share === null) return { anomaly, outcome: 'not-measured', share, contrast };
  return { anomaly, outcome: share.interval.lower > 0 ? 'shown' : 'not-shown', share, contrast };
}

function contrasts(
  anomaly: string,
  share: Proportion | null,
  rows: readonly ClaimingRow[],
  level: number,
): readonly Contrast[] {
  return rows.flatMap((row) => {
    const there = shareIn(row, anomaly);
    if (there === null) return [];
    return [
      { arm: row.arm, share: there, comparison: share === null ? null : compareArms(there, share, level) },
    ];
  });
}

function shareIn(row: ClaimingRow, anomaly: string): Proportion | null {
  return row.shares.find((found) => found.anomaly === anomaly)?.share ?? null;
}
