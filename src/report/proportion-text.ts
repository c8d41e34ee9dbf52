/** Proportions as people read them, rounded to one decimal of a percent. */
import type { Interval, IntervalMethod, Proportion } from '#analysis/model/interval.ts';

/** `100.0 %`; plain rounding to one decimal. */
export function percent(fraction: number): string {
  return `${(fraction * 100).toFixed(1)} %`;
}

/** `18.7 % to 81.3 %`. */
export function intervalText(interval: Interval): string {
  return `${percent(interval.lower)} to ${percent(interval.upper)}`;
}

/** `3/20` and, on a line of its own, the interval; `absent` where there is no proportion. */
export function cellText(share: Proportion | null, absent: string): string {
  return share === null ? absent : `${share.count}/${share.of}\n${intervalText(share.interval)}`;
}

/** `+12.0 %`, `-3.1 %`, `0.0 %`; a difference of two shares. */
export function signedPercent(fraction: number): string {
  return `${fraction > 0 ? '+' : ''}${percent(fraction)}`;
}

/** `< 0.0001`, `0.0312`. */
export function pText(p: number): string {
  return p < 0.0001 ? '< 0.0001' : p.toFixed(4);
}

/** The method's name as papers write it. */
export const methodNames: Readonly<Record<IntervalMethod, string>> = {
  'clopper-pearson': 'Clopper-Pearson',
  wilson: 'Wilson score',
  'confidence-sequence': 'confidence sequence',
};

/** `95 %` for 0.95, `99.9 %` for 0.999. */
export function levelText(level: number): string {
  return `${Number((level * 100).toPrecision(6))} %`;
}
