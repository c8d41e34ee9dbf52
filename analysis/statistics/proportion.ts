/**
 * How often, and how sure: k of n with the interval that was asked for. Nothing measured has no proportion: 0 of 0 is
 * null, not the interval from 0 to 1.
 */
import { assertNever, invariant } from '#analysis/model/bug.ts';
import type { Interval, IntervalMethod, Proportion } from '#analysis/model/interval.ts';
import { clopperPearson } from './clopper-pearson.ts';
import { confidenceSequence } from './confidence-sequence.ts';
import { wilson } from './wilson.ts';

/** Which interval, and how sure: a level of 0.95 is 95 %. */
export interface IntervalChoice {
  readonly method: IntervalMethod;
  readonly level: number;
}

/** The interval reports use unless told otherwise: exact, 95 %. */
export const defaultInterval: IntervalChoice = { method: 'clopper-pearson', level: 0.95 };

/** The chosen interval of `count` successes in `of` >= 1 trials. Fails: a bug on counts or levels out of range. */
export function intervalOf(count: number, of: number, { method, level }: IntervalChoice): Interval {
  switch (method) {
    case 'clopper-pearson':
      return clopperPearson(count, of, level);
    case 'wilson':
      return wilson(count, of, level);
    case 'confidence-sequence':
      return confidenceSequence(count, of, level);
    default:
      return assertNever(method);
  }
}

/** `count` of `of` with its interval; null for 0 of 0. Fails: a bug on counts or levels out of range. */
export function proportionOf(count: number, of: number, choice: IntervalChoice): Proportion | null {
  if (of === 0) {
    invariant(count === 0, `${count} successes in no trial`);
    return null;
  }
  return { count, of, interval: intervalOf(count, of, choice) };
}
