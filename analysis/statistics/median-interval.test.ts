import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { medianInterval, medianRatio } from './median-interval.ts';

const upTo = (n: number) => Array.from({ length: n }, (_, index) => index + 1);

describe('the interval of a median', () => {
  // Ranks of the exact 95 % interval, as tables of the sign test give them: n, lower rank, upper rank.
  it.each([
    [6, 1, 6],
    [10, 2, 9],
    [20, 6, 15],
    [50, 18, 33],
    [100, 40, 61],
  ])('of %i values has ranks %i and %i', (n, lower, upper) => {
    const found = medianInterval(upTo(n), 0.95);
    expect([found?.lower, found?.upper]).toEqual([lower, upper]);
  });

  it('does not exist for five values or fewer at 95 %', () => {
    for (let n = 0; n <= 5; n += 1) expect(medianInterval(upTo(n), 0.95)).toBeNull();
  });

  it('holds the median, and the ratio of a sample with itself holds 1', () => {
    const sample = fc.array(fc.double({ min: 1, max: 1e6, noNaN: true }), { minLength: 8, maxLength: 200 });
    fc.assert(
      fc.property(sample, (values) => {
        const sorted = values.toSorted((a, b) => a - b);
        const found = medianInterval(sorted, 0.95);
        expect(found === null || (found.lower <= found.median && found.median <= found.upper)).toBe(true);
        const ratio = medianRatio(sorted, sorted, 0.95);
        expect(ratio === null || (ratio.lower <= 1 && ratio.upper >= 1)).toBe(true);
      }),
    );
  });
});
