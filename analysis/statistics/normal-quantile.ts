/**
 * The z of a two-sided confidence level: how many standard deviations around the mean hold that share of a normal
 * distribution (1.96 for 0.95). Only the centre's share is given, so nothing cancels for levels close to 1.
 */
import { invariant } from '#analysis/model/bug.ts';

/** The normal density at z. */
const density = (z: number): number => Math.exp(-z * z * 0.5) / Math.sqrt(2 * Math.PI);

/**
 * P(-z < Z < z), by the series 2 phi(z) (z + z^3/3 + z^5/(3*5) + …), all of whose terms are positive.
 * Source: G. Marsaglia, Journal of Statistical Software 11(4) (2004), the series of his function cPhi.
 */
function centralShare(z: number): number {
  let term = z;
  let sum = z;
  for (let odd = 3; sum + term !== sum; odd += 2) {
    term *= (z * z) / odd;
    sum += term;
  }
  return 2 * density(z) * sum;
}

/**
 * The z with P(-z < Z < z) = level, for 0 < level < 1; about 13 digits, fewer the closer the level is to 1 (6 at
 * 1 - 1e-9), where the level itself carries no more.
 *
 * Newton's method from 0: the share is concave in z, so each step falls short of the root and none overshoots. It
 * stops when a step no longer moves z. Fails: a bug on a level out of range.
 */
export function twoSidedNormalQuantile(level: number): number {
  invariant(level > 0 && level < 1, `a confidence level lies between 0 and 1, unlike ${level}`);
  let z = 0;
  for (let round = 0; round < 200; round += 1) {
    const step = (level - centralShare(z)) / (2 * density(z));
    if (step <= z * Number.EPSILON) return z;
    z += step;
  }
  invariant(false, `the normal quantile of level ${level} did not settle`);
}
