/**
 * The verdict on an arm for people: what it claims, what was counted, and against which other arm that says something.
 * Claims with equal numbers share a line.
 */
import type { ArmVerdict, ClaimOutcome, ClaimVerdict, Contrast } from '#analysis/comparison/arm-verdict.ts';
import type { ArmComparison } from '#analysis/comparison/compare-proportions.ts';
import { invariant } from '#analysis/model/bug.ts';
import { pushTo } from '#analysis/model/maps.ts';
import type { Proportion } from '#analysis/model/interval.ts';
import { printable } from './printable.ts';
import { intervalText, percent, pText, signedPercent } from './proportion-text.ts';
import { paint, type Palette } from './style.ts';

const words: Readonly<Record<ClaimOutcome, { readonly says: string; readonly tone: Tone }>> = {
  held: { says: 'holds', tone: 'valid' },
  broken: { says: 'BROKEN', tone: 'error' },
  untested: { says: 'not put to the test', tone: 'warning' },
  shown: { says: 'shows its defect', tone: 'valid' },
  'not-shown': { says: 'did not show its defect', tone: 'warning' },
  'not-measured': { says: 'not measured', tone: 'warning' },
};

type Tone = 'valid' | 'error' | 'warning';

/** `lock-wait holds`, coloured. `arm`: the name as it is printed. */
export function verdictTitle(arm: string, { outcome }: ArmVerdict, palette: Palette): string {
  const { says, tone } = words[outcome];
  return `${arm}: ${paint(palette, tone, says)}`;
}

/** A line for each group of claims that came out alike, without indent. `nameOf`: an arm as it is printed. */
export function claimLines({ claims }: ArmVerdict, nameOf: (arm: string) => string): readonly string[] {
  const alike = new Map<string, string[]>();
  for (const claim of claims) pushTo(alike, lineOf(claim, nameOf), printable(claim.anomaly));
  return [...alike].map(([line, anomalies]) => `${anomalies.join(', ')}: ${line}`);
}

/** `-99.3 %, -99.8 % to -97.6 %, p < 0.0001`. */
export function differenceText({ difference, pValue }: ArmComparison): string {
  const { difference: by, lower, upper } = difference;
  return `${signedPercent(by)}, ${signedPercent(lower)} to ${signedPercent(upper)}, p ${pText(pValue)}`;
}

function lineOf({ outcome, share, contrast }: ClaimVerdict, nameOf: (arm: string) => string): string {
  if (outcome === 'not-measured') return 'nothing here measures it';
  invariant(share !== null, 'a claim was judged without a share');
  const counted = `${share.count}/${share.of}`;
  switch (outcome) {
    case 'held':
      return `prevented, ${counted}, so less than ${atMost(share)}${against(contrast, nameOf)}`;
    case 'broken':
      return `NOT prevented, ${counted} (${intervalText(share.interval)})${against(contrast, nameOf)}`;
    case 'untested':
      return `${counted}, which proves nothing: no arm of this table has it more often${against(contrast, nameOf)}`;
    case 'shown':
      return `the defect, ${counted} (${intervalText(share.interval)})${against(contrast, nameOf)}`;
    case 'not-shown':
      return `the defect did not show, ${counted}, so less than ${atMost(share)}`;
  }
}

function atMost({ interval }: Proportion): string {
  return percent(interval.upper);
}

function against(contrast: Contrast | null, nameOf: (arm: string) => string): string {
  if (contrast === null) return '';
  const { arm, share, comparison } = contrast;
  const how = comparison === null ? '' : ` (${differenceText(comparison)})`;
  return `; ${nameOf(arm)} has ${share.count}/${share.of}${how}`;
}
