import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { BadArguments } from './fail.ts';
import { gapRange, gapsFor, requireSweepable } from './sweep-options.ts';

describe('--sweep', () => {
  it.each([
    ['gap=0..200/50', 'ms', [0, 50, 100, 150, 200]],
    ['gap=10..99/40', 'ms', [10, 50, 90]],
    ['gap=0..0.3/0.1', 'ms', [0, 0.1, 0.2, 0.3]],
    ['gap=0..1.5x/4', 'run', [0, 0.5, 1, 1.5]],
  ] as const)('%s', (text, unit, gaps) => {
    expect(gapRange(text)).toEqual({ unit, gaps });
  });

  it('has ten points in lengths of a run unless told otherwise', () => {
    expect(gapRange('gap=0..1.5x').gaps).toHaveLength(10);
  });

  it.each([
    '',
    '50',
    'gap',
    'gap=',
    'gap=50',
    'gap=0..100',
    'gap=0..100/',
    'gap=0..100/0',
    'gap=0..100/-5',
    'gap=-5..100/5',
    'gap=100..0/5',
    'gap=5..5/5',
    'gap=0..10/50',
    'gap=0..1000/1',
    'gap=0..1e3/50',
    'gap=0..NaN/5',
    'gap=0..99999/500',
    'gap=0..2x/1',
    'gap=0..2x/0',
    'gap=0..2x/2.5',
    'gap=0..2x/900',
    'gap=0..500x/5',
    'gap=0x..2x/5',
    'gap= 0..10/5',
    'scale=0..100/5',
  ])('refuses %j', (text) => {
    expect(() => gapRange(text)).toThrow(BadArguments);
  });

  it('ascends from the first gap by the step and never beyond the last', () => {
    const ranges = fc.tuple(
      fc.integer({ min: 0, max: 5_000 }),
      fc.integer({ min: 1, max: 500 }),
      fc.integer({ min: 1, max: 100 }),
      fc.integer({ min: 0, max: 499 }),
    );
    fc.assert(
      fc.property(ranges, ([from, step, steps, rest]) => {
        const to = from + step * steps + (rest % step);
        const { gaps } = gapRange(`gap=${from}..${to}/${step}`);
        expect(gaps).toEqual(Array.from({ length: steps + 1 }, (_, index) => from + index * step));
      }),
    );
  });

  it('takes whole milliseconds of a run, none of them twice', () => {
    expect(gapsFor([0, 0.5, 1, 1.5], 265.4)).toEqual([0, 133, 265, 398]);
    expect(gapsFor([0, 0.1, 0.2], 2)).toEqual([0]);
  });

  it('goes neither with -n auto, nor with --plan, nor with --target', () => {
    expect(() => {
      requireSweepable({ trials: 'auto', plan: false, target: undefined });
    }).toThrow('-n a number');
    expect(() => {
      requireSweepable({ trials: 20, plan: true, target: undefined });
    }).toThrow('--plan');
    expect(() => {
      requireSweepable({ trials: 20, plan: false, target: ['http://127.0.0.1:9/x'] });
    }).toThrow('--target');
    requireSweepable({ trials: undefined, plan: false, target: undefined });
  });
});
