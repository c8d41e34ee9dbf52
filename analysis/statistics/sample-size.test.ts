import { describe, expect, it } from 'vitest';
import { clopperPearson } from './clopper-pearson.ts';
import { trialsForDifference, trialsForWidth, trialsToExclude, trialsToStop } from './sample-size.ts';

describe('how many trials are enough', () => {
  it('0 of n excludes a rate from the n on that solves (1 - rate)^n = 0.025', () => {
    for (const rate of [0.5, 0.1, 0.01, 0.001]) {
      expect(trialsToExclude(rate, 0.95)).toBe(Math.ceil(Math.log(0.025) / Math.log(1 - rate)));
    }
  });

  it('an interval at the planned n is narrow enough, and at one less of the same share it is not', () => {
    const n = trialsForWidth(0.5, 0.1, 0.95) ?? 0;
    const width = (of: number) => {
      const { lower, upper } = clopperPearson(Math.round(of / 2), of, 0.95);
      return upper - lower;
    };
    expect(width(n)).toBeLessThanOrEqual(0.1);
    expect(width(n - 2)).toBeGreaterThan(0.1);
  });

  it('stopping by a confidence sequence costs more trials than a number that was fixed before', () => {
    expect(trialsToStop(0.5, 0.2, 0.95)).toBeGreaterThan(trialsForWidth(0.5, 0.2, 0.95) ?? Infinity);
  });

  // J. L. Fleiss, A. Tytun, H. K. Ury, Biometrics 36 (1980) 343-346, alpha 0.05, power 0.8.
  it.each([
    [0.5, 0.9, 24],
    [0.1, 0.4, 38],
  ])(
    'shares of %f and %f are told apart with about as many trials an arm as the corrected formula asks for',
    (a, b, about) => {
      const n = trialsForDifference(a, b, 0.95, 0.8) ?? 0;
      expect(Math.abs(n - about)).toBeLessThanOrEqual(3);
    },
  );
});
