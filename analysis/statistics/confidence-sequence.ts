/**
 * An interval that may be looked at after every trial: with the level's probability it holds the true share at all sample
 * sizes at once, so a series may stop whenever it pleases. Easy to get wrong: an interval for a fixed n that is looked at
 * until it is narrow enough, or until it excludes a value, covers less than it says.
 */
import betaln from '@stdlib/math-base-special-betaln';
import type { Interval } from '#analysis/model/interval.ts';
import { requireSample } from './binomial-sample.ts';

/** Weights of the mixture: Jeffreys' prior, which is narrow also near 0 and 1. */
const weight = 0.5;

/** Halvings until neighbouring numbers are told apart. */
const halvings = 60;

/**
 * The beta-binomial confidence sequence at `count` successes in `of` >= 1 trials.
 *
 * For each p the ratio of the mixture's likelihood, B(k + 1/2, n - k + 1/2) / B(1/2, 1/2), to that of p, p^k (1 - p)^(n - k),
 * is a martingale that starts at 1 when p is true; by Ville's inequality it ever reaches 1/a with probability at most a.
 * The interval holds the p whose ratio is below 1/a, with a = 1 - level.
 *
 * Source: H. Robbins, Annals of Mathematical Statistics 41 (1970) 1397-1409; S. R. Howard, A. Ramdas, J. McAuliffe,
 * J. Sekhon, Annals of Statistics 49 (2021) 1055-1080.
 *
 * Cost: about a hundred logarithms. Fails: a bug on counts or levels out of range.
 */
export function confidenceSequence(count: number, of: number, level: number): Interval {
  requireSample(count, of, level);
  const misses = of - count;
  const mixture = betaln(count + weight, misses + weight) - betaln(weight, weight);
  const bound = -Math.log(1 - level);
  const isInside = (p: number): boolean => mixture - logLikelihood(count, misses, p) < bound;
  const share = count / of;
  return {
    lower: count === 0 ? 0 : edge(0, share, isInside),
    upper: misses === 0 ? 1 : edge(1, share, isInside),
    level,
    method: 'confidence-sequence',
  };
}

function logLikelihood(count: number, misses: number, p: number): number {
  return (count === 0 ? 0 : count * Math.log(p)) + (misses === 0 ? 0 : misses * Math.log1p(-p));
}

/** The last p from `inside` towards `outside` that is inside; the likelihood falls on the whole way. */
function edge(outside: number, inside: number, isInside: (p: number) => boolean): number {
  let far = outside;
  let near = inside;
  for (let turn = 0; turn < halvings; turn += 1) {
    const middle = (far + near) / 2;
    if (isInside(middle)) near = middle;
    else far = middle;
  }
  return near;
}
