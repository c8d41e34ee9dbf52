import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fisherExact } from './fisher-exact.ts';
import { newcombe } from './newcombe.ts';

describe('the interval of a difference', () => {
  // R. G. Newcombe, Statistics in Medicine 17 (1998) 873-890, table II, method 10.
  it.each([
    [56, 70, 48, 80, 0.0524, 0.3339],
    [9, 10, 3, 10, 0.1705, 0.809],
    [6, 7, 2, 7, 0.0582, 0.8062],
    [5, 56, 0, 29, -0.0381, 0.1926],
    [0, 10, 0, 20, -0.1611, 0.2775],
    [0, 10, 0, 10, -0.2775, 0.2775],
    [10, 10, 0, 20, 0.6791, 1],
    [10, 10, 0, 10, 0.6075, 1],
  ])('of %i/%i and %i/%i is the published one', (countA, ofA, countB, ofB, lower, upper) => {
    const found = newcombe({ count: countA, of: ofA }, { count: countB, of: ofB }, 0.95);
    expect([found.lower.toFixed(4), found.upper.toFixed(4)]).toEqual([lower.toFixed(4), upper.toFixed(4)]);
  });
});

describe("Fisher's exact test", () => {
  it('finds the lady who knows three of four cups in 0.4857 of cases', () => {
    expect(fisherExact({ count: 3, of: 4 }, { count: 1, of: 4 })).toBeCloseTo(0.4857, 4);
  });

  it('finds the convictions of twins (10 of 13 against 2 of 17) at 0.0005367, as R does', () => {
    expect(fisherExact({ count: 10, of: 13 }, { count: 2, of: 17 })).toBeCloseTo(0.0005367, 7);
  });

  it('is symmetric, between 0 and 1, and 1 for equal samples', () => {
    const size = fc.integer({ min: 1, max: 60 });
    const sample = size.chain((of) => fc.record({ of: fc.constant(of), count: fc.nat({ max: of }) }));
    fc.assert(
      fc.property(sample, sample, (a, b) => {
        const p = fisherExact(a, b);
        expect(p).toBeGreaterThan(0);
        expect(p).toBeLessThanOrEqual(1);
        expect(fisherExact(b, a)).toBeCloseTo(p, 10);
        expect(fisherExact(a, a)).toBeCloseTo(1, 10);
      }),
    );
  });
});
