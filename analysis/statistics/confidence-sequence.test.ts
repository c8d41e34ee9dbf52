import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { clopperPearson } from './clopper-pearson.ts';
import { confidenceSequence } from './confidence-sequence.ts';
import type { Interval } from '#analysis/model/interval.ts';

/** A generator of numbers in [0, 1) that gives the same ones every time (mulberry32). */
function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** The share of series of up to `longest` trials in which the interval missed the true share at some time. */
function everMissed(
  interval: (count: number, of: number, level: number) => Interval,
  p: number,
  level: number,
): number {
  const [series, longest] = [400, 300];
  const random = seeded(20261201);
  let missed = 0;
  for (let turn = 0; turn < series; turn += 1) {
    let count = 0;
    for (let of = 1; of <= longest; of += 1) {
      if (random() < p) count += 1;
      const { lower, upper } = interval(count, of, level);
      if (p >= lower && p <= upper) continue;
      missed += 1;
      break;
    }
  }
  return missed / series;
}

describe('a confidence sequence', () => {
  it.each([0.05, 0.5, 0.9])('ever misses a true share of %f in at most a tenth of series at 90 %', (p) => {
    expect(everMissed(confidenceSequence, p, 0.9)).toBeLessThanOrEqual(0.1);
  });

  it('does what an interval for a fixed number of trials does not, when that is looked at after each', () => {
    expect(everMissed(clopperPearson, 0.5, 0.9)).toBeGreaterThan(0.2);
  });

  it('holds the share that was seen, is wider than the exact interval, and mirrors with success and failure', () => {
    const sample = fc
      .integer({ min: 1, max: 2000 })
      .chain((of) => fc.record({ of: fc.constant(of), count: fc.integer({ min: 0, max: of }) }));
    fc.assert(
      fc.property(sample, ({ count, of }) => {
        const found = confidenceSequence(count, of, 0.95);
        const mirrored = confidenceSequence(of - count, of, 0.95);
        const exact = clopperPearson(count, of, 0.95);
        expect(found.lower).toBeLessThanOrEqual(count / of);
        expect(found.upper).toBeGreaterThanOrEqual(count / of);
        expect(found.upper - found.lower).toBeGreaterThanOrEqual(exact.upper - exact.lower - 1e-9);
        expect(mirrored.lower).toBeCloseTo(1 - found.upper, 9);
      }),
    );
  });

  it('at no success of n solves its equation in closed form', () => {
    // The mixture at k = 0 is B(1/2, n + 1/2) / B(1/2, 1/2), the central binomial coefficient over 4^n.
    const n = 20;
    let central = 1;
    for (let k = 1; k <= n; k += 1) central *= (2 * k - 1) / (2 * k);
    const upper = 1 - (central * 0.05) ** (1 / n);
    expect(confidenceSequence(0, n, 0.95).upper).toBeCloseTo(upper, 9);
  });
});
