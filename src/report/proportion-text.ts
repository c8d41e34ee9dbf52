/** Proportions as people read them, rounded to one decimal of a percent. */
import type { Interval, IntervalMethod } from '#analysis/model/interval.ts';

/** `100.0 %`; plain rounding to one decimal. */
export function percent(fraction: number): string {
  return `${(fraction * 100).toFixed(1)} %`;
}

/** `18.7 % to 81.3 %`. */
export function intervalText(interval: Interval): string {
  return `${percent(interval.lower)} to ${percent(interval.upper)}`;
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
