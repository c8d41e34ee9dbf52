import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { effectTimeMs } from './effect-time.ts';

const seconds = fc.integer({ min: 1_000_000_000, max: 4_000_000_000 });

describe('the time of an effect', () => {
  test.each<[string | number, number]>([
    [1796074626, 1796074626000],
    [1796074626.278199, 1796074626278.199],
    ['1796074626.278', 1796074626278],
    [1796074626278, 1796074626278],
    ['1796074626278', 1796074626278],
    ['2026-11-30T21:37:06.278Z', 1796074626278],
    ['2026-11-30T21:37:06.278199Z', 1796074626278.199],
    ['2026-11-30 21:37:06.278+00', 1796074626278],
    ['2026-11-30T23:37:06,278+0200', 1796074626278],
    ['2026-11-30T16:07:06-05:30', 1796074626000],
    ['2026-11-30T21:37', 1796074620000],
  ])('%s is read', (value, ms) => {
    expect(effectTimeMs(value)).toBeCloseTo(ms, 3);
  });

  test('without an offset is UTC wherever it is read', () => {
    const before = process.env['TZ'];
    process.env['TZ'] = 'America/New_York';
    try {
      expect(effectTimeMs('2026-11-30T21:37:06')).toBe(1796074626000);
    } finally {
      if (before === undefined) delete process.env['TZ'];
      else process.env['TZ'] = before;
    }
  });

  test.each([0, -1, 1.7e18, Number.NaN, '', 'yesterday', '21:37', '2026-13-30T21:37:06Z', '0x10', '1e400'])(
    '%s is none',
    (value) => {
      expect(effectTimeMs(value)).toBeNull();
    },
  );

  test('is the same as seconds, milliseconds and ISO text', () => {
    fc.assert(
      fc.property(seconds, fc.integer({ min: 0, max: 999 }), (whole, ms) => {
        const expected = whole * 1000 + ms;
        expect(effectTimeMs(expected)).toBe(expected);
        expect(effectTimeMs(new Date(expected).toISOString())).toBeCloseTo(expected, 6);
        expect(effectTimeMs(expected / 1000)).toBeCloseTo(expected, 3);
      }),
    );
  });
});
