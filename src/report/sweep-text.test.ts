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
  it('draws the curve from the first gap to the last, and names every gap in the table', () => {
    const [title, chart, table] = textOf([point(0, 4, 4), point(50, 2, 4), point(100, 0, 4)]);
    expect(title).toContain('undeclaredForks > 0 over the gap between a, b');
    const lines = (chart ?? '').split('\n');
    expect([lines[0]?.slice(0, 8), lines.at(-2)?.slice(0, 8)]).toEqual([' 100 % ┼', '   0 % ┤']);
    expect(lines.at(-1)?.trim()).toMatch(/^0 ms +100 ms$/);
    for (const cell of ['0 ms', '50 ms', '100 ms', '4/4', '2/4', '0/4']) expect(table).toContain(` ${cell} `);
  });

  it('draws nothing where a gap has no completed trial, and says so in the table', () => {
    const [, table, note] = textOf([point(0, 4, 4), { ...point(50, 0, 0), aborted: 4 }]);
    expect(table).toContain('aborted');
    expect(table).toMatch(/^┌/);
    expect(note).toContain('not for the whole curve');
  });
});
