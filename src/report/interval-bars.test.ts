import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { defaultInterval, proportionOf } from '#analysis/statistics/proportion.ts';
import { intervalBars } from './interval-bars.ts';

const shareOf = (count: number, of: number) => proportionOf(count, of, defaultInterval);

describe('bars of intervals', () => {
  it('stand below one scale, the share between its bounds', () => {
    const text = intervalBars([
      { label: '0 ms', share: shareOf(20, 20) },
      { label: '50 ms', share: shareOf(10, 20) },
      { label: '100 ms', share: shareOf(0, 20) },
    ]);
    expect(text.split('\n')).toEqual([
      '        0 %                         50 %                        100 %',
      '  0 ms │                                                  ├─────────●',
      ' 50 ms │                ├─────────────●─────────────┤',
      '100 ms │●─────────┤',
    ]);
  });

  it('leaves the line empty where nothing was measured', () => {
    expect(intervalBars([{ label: '0 ms', share: null }]).split('\n')[1]).toBe('0 ms │');
  });

  it('always shows the share, never beyond the scale', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 400 }), fc.nat(), (of, seed) => {
        const count = seed % (of + 1);
        const [, bar = ''] =
          intervalBars([{ label: '', share: shareOf(count, of) }])
            .split('\n')[1]
            ?.split('│') ?? [];
        expect(bar).toMatch(/^ *├?─*●─*┤?$/u);
        expect(bar.length).toBeLessThanOrEqual(61);
        expect(bar.indexOf('●')).toBe(Math.round((count / of) * 60));
      }),
    );
  });
});
