/**
 * Fisher's exact test: how likely is a table at least as unlikely as this one, if both samples have one probability?
 * Exact for small samples and for shares of 0 and 1, where approximations fail; conservative, since counts are few.
 */
import hypergeometricPmf from '@stdlib/stats-base-dists-hypergeometric-pmf';
import type { Sample } from './newcombe.ts';

/** Tables whose probability differs by less than this share are equally likely; sums of rounded numbers differ so. */
const tie = 1e-7;

/**
 * The two-sided p value: the probabilities of all tables with these margins that are no likelier than the one seen.
 *
 * *Source*: R. A. Fisher, The Design of Experiments (1935), chapter II; two-sided as R's `fisher.test` sums it. *Cost*:
 * one probability for each possible table.
 */
export function fisherExact(a: Sample, b: Sample): number {
  const population = a.of + b.of;
  const successes = a.count + b.count;
  const probability = (count: number): number => hypergeometricPmf(count, population, successes, a.of);
  const seen = probability(a.count) * (1 + tie);
  let sum = 0;
  for (let count = Math.max(0, successes - b.of); count <= Math.min(successes, a.of); count += 1) {
    const mass = probability(count);
    if (mass <= seen) sum += mass;
  }
  return Math.min(1, sum);
}
