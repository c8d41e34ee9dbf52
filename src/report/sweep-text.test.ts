import { describe, expect, it } from 'vitest';
import type { SweepPoint } from '#analysis/sweep/curve.ts';
import { defaultInterval, proportionOf } from '#analysis/statistics/proportion.ts';
import type { SeriesSettings, SweptSettings } from '../rundir/series-file.ts';
import { plain } from './style.ts';
import { sweepText } from './sweep-text.ts';

const swept: SweptSettings = {
  ...{
    arm: 'none',
    racers: ['a', 'b'],
    gapsMs: [0, 50, 100],
    outcome: 'undeclaredForks',
    value: null,
    run: null,
  },
};
const point = (gapMs: number, count: number, of: number): SweepPoint => ({
  ...{ gapMs, measuredGapMs: null, classes: [], overlapped: null, aborted: 0 },
  share: proportionOf(count, of, defaultInterval),
});
const textOf = (curve: readonly SweepPoint[]) =>
  sweepText(curve, swept, { interval: defaultInterval } as SeriesSettings, plain);

describe('a sweep for people', () => {
  it('draws every gap as an interval, and names it in the table', () => {
    const [title, chart, table] = textOf([point(0, 4, 4), point(50, 2, 4), point(100, 0, 4)]);
    expect(title).toContain('undeclaredForks > 0 over the gap between a, b');
    expect((chart ?? '').split('\n').map((line) => line.replaceAll(/[├─┤● ]+/gu, ' ').trim())).toEqual([
      '0 % 50 % 100 %',
      '0 ms │',
      '50 ms │',
      '100 ms │',
    ]);
    for (const cell of ['0 ms', '50 ms', '100 ms', '4/4', '2/4', '0/4']) expect(table).toContain(` ${cell} `);
  });

  it('leaves the line of a gap without a completed trial empty, and says so in the table', () => {
    const [, chart, table, note] = textOf([point(0, 4, 4), { ...point(50, 0, 0), aborted: 4 }]);
    expect(chart?.split('\n')[2]).toBe('50 ms │');
    expect(table).toContain('aborted');
    expect(note).toContain('not for the whole curve');
  });
});
