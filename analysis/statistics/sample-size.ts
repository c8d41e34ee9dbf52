/**
 * How many trials are enough? Asked before a series, so that its length is not chosen by its results. All answers are
 * found by search with the very intervals and tests that reports use.
 */
import { clopperPearson } from './clopper-pearson.ts';
import { fisherExact } from './fisher-exact.ts';
import { confidenceSequence } from './confidence-sequence.ts';

/** More trials than this are never planned. */
export const mostTrials = 1_000_000;

/** The smallest n at which 0 of n excludes `rate` (exact interval); null beyond {@link mostTrials}. */
export function trialsToExclude(rate: number, level: number): number | null {
  return smallest((n) => clopperPearson(0, n, level).upper <= rate);
}

/** The smallest n at which the exact interval of a share of `rate` is at most `width` wide. */
export function trialsForWidth(rate: number, width: number, level: number): number | null {
  return smallest((n) => {
    const { lower, upper } = clopperPearson(Math.round(rate * n), n, level);
    return upper - lower <= width;
  });
}

/** The same of the confidence sequence, which a series may stop by. */
export function trialsToStop(rate: number, width: number, level: number): number | null {
  return smallest((n) => {
    const { lower, upper } = confidenceSequence(Math.round(rate * n), n, level);
    return upper - lower <= width;
  });
}

/**
 * The smallest n of each of two arms at which Fisher's exact test tells shares of `rate` and `other` apart with the
 * power, counted over all pairs of outcomes. *Cost*: up to n squared probabilities for each n tried.
 */
export function trialsForDifference(
  rate: number,
  other: number,
  level: number,
  power: number,
): number | null {
  return smallest((n) => powerOf(n, rate, other, 1 - level) >= power, 4000);
}

function powerOf(n: number, rate: number, other: number, alpha: number): number {
  const first = masses(n, rate);
  const second = masses(n, other);
  let power = 0;
  for (const [a, massA] of first.entries()) {
    if (massA < 1e-9) continue;
    for (const [b, massB] of second.entries()) {
      if (massB < 1e-9) continue;
      if (fisherExact({ count: a, of: n }, { count: b, of: n }) <= alpha) power += massA * massB;
    }
  }
  return power;
}

/** P(X = k) for k = 0 … n, through logarithms so that no factor overflows. */
function masses(n: number, p: number): readonly number[] {
  if (p <= 0 || p >= 1) return Array.from({ length: n + 1 }, (_, k) => (k === (p <= 0 ? 0 : n) ? 1 : 0));
  const found: number[] = [];
  let log = n * Math.log1p(-p);
  for (let k = 0; k <= n; k += 1) {
    found.push(Math.exp(log));
    log += Math.log((n - k) / (k + 1)) + Math.log(p) - Math.log1p(-p);
  }
  return found;
}

/** By doubling and halving: what is asked for holds from some n on, apart from steps of whole numbers. */
function smallest(isEnough: (n: number) => boolean, most = mostTrials): number | null {
  let enough = 1;
  while (!isEnough(enough)) {
    if (enough >= most) return null;
    enough = Math.min(most, 2 * enough);
  }
  let tooFew = Math.floor(enough / 2);
  while (enough - tooFew > 1) {
    const middle = Math.floor((enough + tooFew) / 2);
    if (isEnough(middle)) enough = middle;
    else tooFew = middle;
  }
  return enough;
}
