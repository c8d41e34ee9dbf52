/**
 * The score interval of a proportion: which success probabilities lie within z standard errors of k/n, the error
 * being that of the probability tried? Its coverage is close to the level on average and can fall well below it for
 * probabilities near 0 and 1, so it answers "about how often", not "at most how often".
 */
import type { Interval } from '#analysis/model/interval.ts';
import { requireSample } from './binomial-sample.ts';
import { twoSidedNormalQuantile } from './normal-quantile.ts';

/**
 * The Wilson score interval, without continuity correction, of `count` successes in `of` >= 1 trials.
 *
 * With z the two-sided normal quantile, its bounds are the roots p of (k - np)^2 = z^2 np(1 - p). For k = 0 the lower
 * root is 0 and for k = n the upper is 1; they are set, because rounding would leave a stray 1e-17.
 *
 * Source: E. B. Wilson, JASA 22 (1927) 209-212; method 3 of R. G. Newcombe, Statistics in Medicine 17 (1998) 857-872.
 * On its coverage: L. D. Brown, T. T. Cai, A. DasGupta, Statistical Science 16 (2001) 101-133.
 *
 * Fails: a bug on counts or levels out of range.
 */
export function wilson(count: number, of: number, level: number): Interval {
  requireSample(count, of, level);
  const z = twoSidedNormalQuantile(level);
  const misses = of - count;
  const centre = count + (z * z) / 2;
  const reach = z * Math.sqrt((count * misses) / of + (z * z) / 4);
  const scale = of + z * z;
  return {
    lower: count === 0 ? 0 : (centre - reach) / scale,
    upper: count === of ? 1 : (centre + reach) / scale,
    level,
    method: 'wilson',
  };
}
