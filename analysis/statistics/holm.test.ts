import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { holm } from './holm.ts';

describe("Holm's adjustment", () => {
  it('gives what R gives: p.adjust(c(0.01, 0.04, 0.03, 0.005), "holm")', () => {
    expect(holm([0.01, 0.04, 0.03, 0.005]).map((p) => Number(p.toFixed(4)))).toEqual([
      0.03, 0.06, 0.06, 0.02,
    ]);
  });

  it('keeps the order, raises no value above 1, and lowers none', () => {
    fc.assert(
      fc.property(fc.array(fc.double({ min: 0, max: 1, noNaN: true })), (pValues) => {
        const adjusted = holm(pValues);
        for (const [index, p] of pValues.entries()) {
          expect(adjusted[index]).toBeGreaterThanOrEqual(p);
          expect(adjusted[index]).toBeLessThanOrEqual(1);
          for (const [other, q] of pValues.entries())
            if (p < q) expect(adjusted[index]).toBeLessThanOrEqual(adjusted[other] ?? 0);
        }
      }),
    );
  });
});
