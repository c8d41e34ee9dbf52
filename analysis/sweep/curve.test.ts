import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ThreadId } from '../model/identifiers.ts';
import type { Trial } from '../model/trial.ts';
import { summariseArm } from '../statistics/distribution.ts';
import { defaultInterval } from '../statistics/proportion.ts';
import { sweepCurve, type GapTrials } from './curve.ts';

const forks = { outcome: 'undeclaredForks', value: null };

const thread = 't' as ThreadId;
const completed = (kind: string): Trial => ({
  kind: 'completed',
  trial: 1,
  thread,
  outcomes: new Map<string, string | number>([
    ['undeclaredForks', kind === 'none' ? 0 : 1],
    ['class', kind],
  ]),
  overlapped: kind !== 'none',
});
const aborted: Trial = { kind: 'aborted', trial: 2, thread, reason: 'a worker died' };

const gap = (gapMs: number, trials: readonly Trial[], readGapsMs: readonly number[] = []): GapTrials => ({
  gapMs,
  summary: summariseArm(`gap=${gapMs}`, trials, defaultInterval),
  readGapsMs,
});

describe('the curve of a sweep', () => {
  it('tells share, classes and measured gap of each', () => {
    const trials = [completed('double-input'), completed('none'), completed('double-input'), aborted];
    const [point] = sweepCurve([gap(50, trials, [49, 51, 56])], forks, defaultInterval);
    expect(point).toMatchObject({
      gapMs: 50,
      measuredGapMs: { median: 51, of: 3, interval: null },
      share: { count: 2, of: 3 },
      classes: [
        { value: 'double-input', count: 2 },
        { value: 'none', count: 1 },
      ],
      aborted: 1,
    });
  });

  it('answers for a value as well', () => {
    const arm = gap(0, [completed('double-input'), completed('input-during-run')]);
    const [point] = sweepCurve([arm], { outcome: 'class', value: 'input-during-run' }, defaultInterval);
    expect(point?.share).toMatchObject({ count: 1, of: 2 });
  });

  it('has no share and no gap where no trial completed', () => {
    const [point] = sweepCurve([gap(0, [aborted])], forks, defaultInterval);
    expect(point).toMatchObject({ share: null, measuredGapMs: null, classes: [], aborted: 1 });
  });

  it('keeps its laws: completed trials are what shares and classes are of, and what has a class has a fork', () => {
    const trial = fc.constantFrom(
      completed('none'),
      completed('double-input'),
      completed('late-worker'),
      aborted,
    );
    const reads = fc.array(fc.double({ min: -10, max: 1e4, noNaN: true }), { maxLength: 30 });
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.array(trial, { maxLength: 30 }), reads), { maxLength: 5 }), (all) => {
        const arms = all.map(([trials, gaps], index) =>
          gap(
            index * 10,
            trials,
            gaps.toSorted((a, b) => a - b),
          ),
        );
        const curve = sweepCurve(arms, forks, defaultInterval);
        expect(curve.map(({ gapMs }) => gapMs)).toEqual(arms.map(({ gapMs }) => gapMs));
        for (const [index, { share, classes, measuredGapMs }] of curve.entries()) {
          const { summary, readGapsMs } = arms[index] ?? gap(0, []);
          const classed = classes.reduce((sum, { count }) => sum + count, 0);
          const none = classes.find(({ value }) => value === 'none')?.count ?? 0;
          expect([share?.of ?? 0, classed]).toEqual([summary.completed, summary.completed]);
          expect(share?.count ?? 0).toBe(classed - none);
          expect(measuredGapMs === null).toBe(readGapsMs.length === 0);
          if (measuredGapMs?.interval != null) {
            expect(measuredGapMs.interval.lower).toBeLessThanOrEqual(measuredGapMs.median);
            expect(measuredGapMs.interval.upper).toBeGreaterThanOrEqual(measuredGapMs.median);
          }
        }
      }),
    );
  });
});
