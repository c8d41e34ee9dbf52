/**
 * The exact interval of a proportion: which success probabilities does k of n not contradict at the given level? Its
 * coverage is never below the level, whatever the true probability, at the price of being wider than need be.
 */
import betaQuantile from '@stdlib/stats-base-dists-beta-quantile';
import type { Interval } from '#analysis/model/interval.ts';
import { requireSample } from './binomial-sample.ts';

/**
 * The Clopper-Pearson interval of `count` successes in `of` >= 1 trials.
 *
 * With a = 1 - level, the lower bound is the p at which P(X >= k) = a/2 and the upper the p at which P(X <= k) = a/2.
 * Both are beta quantiles: B(a/2; k, n - k + 1) and B(1 - a/2; k + 1, n - k). For k = 0 the lower bound is 0, for
 * k = n the upper is 1, and the other bound still carries a/2, not a.
 *
 * Source: C. J. Clopper, E. S. Pearson, Biometrika 26 (1934) 404-413; the beta form is method 5 of R. G. Newcombe,
 * Statistics in Medicine 17 (1998) 857-872.
 *
 * Cost: two inverse incomplete beta functions, well under 1 ms. Fails: a bug on counts or levels out of range.
 */
export function clopperPearson(count: number, of: number, level: number): Interval {
  requireSample(count, of, level);
  const tail = (1 - level) / 2;
  return {
    lower: count === 0 ? 0 : betaQuantile(tail, count, of - count + 1),
    upper: count === of ? 1 : betaQuantile(1 - tail, count + 1, of - count),
    level,
    method: 'clopper-pearson',
  };
}
