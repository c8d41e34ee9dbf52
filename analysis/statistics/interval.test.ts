import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { InvariantBroken } from '#analysis/model/bug.ts';
import type { IntervalMethod } from '#analysis/model/interval.ts';
import { clopperPearson } from './clopper-pearson.ts';
import { twoSidedNormalQuantile } from './normal-quantile.ts';
import { defaultInterval, intervalOf, proportionOf } from './proportion.ts';
import { wilson } from './wilson.ts';

const methods: readonly IntervalMethod[] = ['clopper-pearson', 'wilson'];

/** P(X = k) for k = 0 … n, through logarithms so that no factor overflows. */
function binomialMasses(n: number, p: number): number[] {
  let logMass = n * Math.log1p(-p);
  const masses = [Math.exp(logMass)];
  for (let k = 1; k <= n; k += 1) {
    logMass += Math.log((n - k + 1) / k) + Math.log(p) - Math.log1p(-p);
    masses.push(Math.exp(logMass));
  }
  return masses;
}

/** The probability that the interval of a binomial count holds the p it was drawn with: a sum, not a simulation. */
function coverage(method: IntervalMethod, n: number, level: number, p: number): number {
  return binomialMasses(n, p).reduce((covered, mass, k) => {
    const { lower, upper } = intervalOf(k, n, { method, level });
    return lower <= p && p <= upper ? covered + mass : covered;
  }, 0);
}

/** A sample k of n, n from 1 to 400. */
const sample = fc
  .integer({ min: 1, max: 400 })
  .chain((of) => fc.record({ of: fc.constant(of), count: fc.integer({ min: 0, max: of }) }));
const method = fc.constantFrom(...methods);
const level = fc.double({ min: 0.5, max: 0.999, noNaN: true });

describe('published worked values at 95 %', () => {
  // The four examples of R. G. Newcombe, Statistics in Medicine 17 (1998), table I, methods 5 and 3.
  it.each([
    [81, 263, 'clopper-pearson', 0.2527, 0.3676],
    [15, 148, 'clopper-pearson', 0.0578, 0.1617],
    [0, 20, 'clopper-pearson', 0, 0.1684],
    [1, 29, 'clopper-pearson', 0.0009, 0.1776],
    [81, 263, 'wilson', 0.2553, 0.3662],
    [15, 148, 'wilson', 0.0624, 0.1605],
    [0, 20, 'wilson', 0, 0.1611],
    [1, 29, 'wilson', 0.0061, 0.1718],
  ] as const)('%i of %i by %s is %f to %f', (count, of, by, lower, upper) => {
    const interval = intervalOf(count, of, { method: by, level: 0.95 });
    expect(interval.lower.toFixed(4)).toBe(lower.toFixed(4));
    expect(interval.upper.toFixed(4)).toBe(upper.toFixed(4));
  });

  it('5 of 10 is 18.7 % to 81.3 % and 0 of 100 at most 3.6 % by the exact method', () => {
    expect(clopperPearson(5, 10, 0.95)).toEqual({
      lower: expect.closeTo(0.1871, 4) as number,
      upper: expect.closeTo(0.8129, 4) as number,
      level: 0.95,
      method: 'clopper-pearson',
    });
    expect(clopperPearson(0, 100, 0.95)).toMatchObject({
      lower: 0,
      upper: expect.closeTo(0.0362, 4) as number,
    });
  });

  it('the normal quantiles are those of the tables', () => {
    // Abramowitz and Stegun, Handbook of Mathematical Functions, table 26.5 and its customary extensions.
    expect(twoSidedNormalQuantile(0.5)).toBeCloseTo(0.674489750196082, 14);
    expect(twoSidedNormalQuantile(0.9)).toBeCloseTo(1.644853626951473, 14);
    expect(twoSidedNormalQuantile(0.95)).toBeCloseTo(1.959963984540054, 14);
    expect(twoSidedNormalQuantile(0.99)).toBeCloseTo(2.575829303548901, 12);
    expect(twoSidedNormalQuantile(0.999)).toBeCloseTo(3.290526731491895, 12);
    expect(twoSidedNormalQuantile(1 - 1e-9)).toBeCloseTo(6.10941, 5);
  });

  it('one trial is bounded from the side that was not seen alone', () => {
    expect(clopperPearson(0, 1, 0.95)).toMatchObject({
      lower: 0,
      upper: expect.closeTo(0.975, 12) as number,
    });
    expect(clopperPearson(1, 1, 0.95)).toMatchObject({
      lower: expect.closeTo(0.025, 12) as number,
      upper: 1,
    });
    expect(wilson(0, 1, 0.95)).toMatchObject({ lower: 0, upper: expect.closeTo(0.7935, 4) as number });
  });
});

describe('coverage, summed exactly over the binomial distribution', () => {
  const probabilities = Array.from({ length: 199 }, (_, index) => (index + 1) / 200);

  it.each([1, 2, 5, 10, 29, 100])(
    'of the exact interval is at least 95 percent for n = %i at every p',
    (n) => {
      for (const p of probabilities)
        expect(coverage('clopper-pearson', n, 0.95, p)).toBeGreaterThanOrEqual(0.95);
    },
  );

  it('of the exact interval is at least 99.9 % at level 0.999', () => {
    for (const p of probabilities)
      expect(coverage('clopper-pearson', 40, 0.999, p)).toBeGreaterThanOrEqual(0.999);
  });

  it('of the exact interval just misses where a bound is the p itself, so that no narrower one would do', () => {
    const n = 20;
    const { upper } = clopperPearson(0, n, 0.95);
    const [none] = binomialMasses(n, upper);
    expect(none).toBeCloseTo(0.025, 12);
  });

  it('of the Wilson interval is near 95 % on average', () => {
    const average =
      probabilities.reduce((sum, p) => sum + coverage('wilson', 50, 0.95, p), 0) / probabilities.length;
    expect(average).toBeGreaterThan(0.945);
    expect(average).toBeLessThan(0.96);
  });

  it('of the Wilson interval falls to 83.8 % just below np = 0.1765, the limit of Brown, Cai and DasGupta', () => {
    expect(coverage('wilson', 2000, 0.95, 0.1764 / 2000)).toBeCloseTo(0.838, 3);
  });
});

describe('laws of both intervals', () => {
  it('successes and failures mirror each other', () => {
    fc.assert(
      fc.property(sample, method, level, ({ count, of }, by, at) => {
        const hits = intervalOf(count, of, { method: by, level: at });
        const misses = intervalOf(of - count, of, { method: by, level: at });
        expect(hits.lower).toBeCloseTo(1 - misses.upper, 9);
        expect(hits.upper).toBeCloseTo(1 - misses.lower, 9);
      }),
    );
  });

  it('the observed share lies inside, and both bounds inside 0 and 1', () => {
    fc.assert(
      fc.property(sample, method, level, ({ count, of }, by, at) => {
        const { lower, upper } = intervalOf(count, of, { method: by, level: at });
        expect(lower).toBeGreaterThanOrEqual(0);
        expect(lower).toBeLessThanOrEqual(count / of);
        expect(upper).toBeGreaterThanOrEqual(count / of);
        expect(upper).toBeLessThanOrEqual(1);
      }),
    );
  });

  it('one more success in as many trials raises both bounds', () => {
    fc.assert(
      fc.property(sample, method, level, ({ count, of }, by, at) => {
        fc.pre(count < of);
        const fewer = intervalOf(count, of, { method: by, level: at });
        const more = intervalOf(count + 1, of, { method: by, level: at });
        expect(more.lower).toBeGreaterThan(fewer.lower);
        expect(more.upper).toBeGreaterThan(fewer.upper);
      }),
    );
  });

  it('a higher level widens the interval, ten times the trials at the same share narrows it', () => {
    fc.assert(
      fc.property(sample, method, ({ count, of }, by) => {
        const usual = intervalOf(count, of, { method: by, level: 0.95 });
        const surer = intervalOf(count, of, { method: by, level: 0.99 });
        const longer = intervalOf(count * 10, of * 10, { method: by, level: 0.95 });
        expect(surer.upper - surer.lower).toBeGreaterThan(usual.upper - usual.lower);
        expect(longer.upper - longer.lower).toBeLessThan(usual.upper - usual.lower);
      }),
    );
  });

  it('the exact bounds leave half the error on each side, also for a million trials', () => {
    for (const [count, of] of [
      [3, 100_000],
      [50_000, 100_000],
      [999_990, 1_000_000],
    ] as const) {
      const { lower, upper } = clopperPearson(count, of, 0.95);
      const below = binomialMasses(of, upper).slice(0, count + 1);
      const above = binomialMasses(of, lower).slice(count);
      expect(below.reduce((sum, mass) => sum + mass, 0)).toBeCloseTo(0.025, 6);
      expect(above.reduce((sum, mass) => sum + mass, 0)).toBeCloseTo(0.025, 6);
    }
  });
});

describe('what has no interval', () => {
  it('0 of 0 is an absence, not an interval', () => {
    expect(proportionOf(0, 0, defaultInterval)).toBeNull();
    expect(proportionOf(3, 4, defaultInterval)).toEqual({
      count: 3,
      of: 4,
      interval: clopperPearson(3, 4, 0.95),
    });
  });

  it.each([
    ['more successes than trials', 5, 4, 0.95],
    ['a negative count', -1, 4, 0.95],
    ['a fraction of a success', 0.5, 4, 0.95],
    ['a count that is not a number', Number.NaN, 4, 0.95],
    ['endless trials', 1, Number.POSITIVE_INFINITY, 0.95],
    ['a success in no trial', 1, 0, 0.95],
    ['a level in per cent', 1, 4, 95],
    ['a level of one', 1, 4, 1],
    ['a level of zero', 1, 4, 0],
  ])('%s is a bug of the caller', (_, count, of, at) => {
    for (const by of methods) {
      expect(() => proportionOf(count, of, { method: by, level: at })).toThrow(InvariantBroken);
    }
  });
});
