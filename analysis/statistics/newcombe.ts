/**
 * The interval of a difference between two proportions of independent samples. Easy to get wrong: two intervals that
 * overlap do not mean that the difference may be zero.
 */
import { wilson } from './wilson.ts';

/** A difference of proportions and its interval, all in [-1, 1]. */
export interface Difference {
  readonly difference: number;
  readonly lower: number;
  readonly upper: number;
  readonly level: number;
  readonly method: 'newcombe';
}

/** `count` of `of` >= 1. */
export interface Sample {
  readonly count: number;
  readonly of: number;
}

/**
 * How much more often in `a` than in `b`: the hybrid score interval, which joins the Wilson limits of both samples.
 *
 * *Source*: method 10 of R. G. Newcombe, Statistics in Medicine 17 (1998) 873-890. *Fails*: a bug on counts or levels
 * out of range.
 */
export function newcombe(a: Sample, b: Sample, level: number): Difference {
  const ofA = wilson(a.count, a.of, level);
  const ofB = wilson(b.count, b.of, level);
  const shareA = a.count / a.of;
  const shareB = b.count / b.of;
  const difference = shareA - shareB;
  return {
    difference,
    lower: difference - Math.hypot(shareA - ofA.lower, ofB.upper - shareB),
    upper: difference + Math.hypot(ofA.upper - shareA, shareB - ofB.lower),
    level,
    method: 'newcombe',
  };
}
