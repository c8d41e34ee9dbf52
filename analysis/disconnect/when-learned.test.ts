import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { RunToken, ThreadId } from '../model/identifiers.ts';
import type { RunRecord } from '../model/run.ts';
import { summariseArm } from '../statistics/distribution.ts';
import { defaultInterval } from '../statistics/proportion.ts';
import { learnedArm, learnedLeaves } from './when-learned.ts';

const run = (name: string, cancelledMs: number | null): RunRecord => ({
  ...{ run: `t/${name}` as RunToken, thread: 't' as ThreadId, worker: '1', outcome: 'completed' },
  ...{ firstReadMs: 0, lastPutMs: 90, cancelledMs, returned: null, error: null },
});
const leave = (name: string, atMs: number) => ({ run: `t/${name}` as RunToken, afterChunk: 2, atMs });
const trials = [4, 6, 4].map((rows, index) => ({
  ...{ kind: 'completed' as const, trial: index, thread: 't' as ThreadId, overlapped: null },
  outcomes: new Map([['rows', rows]]),
}));
const arm = summariseArm('direct', trials, defaultInterval);

describe('when a worker learns that its client has left', () => {
  it('is what lies between the closed socket and the cancelled run', () => {
    const leaves = [leave('a', 100), leave('b', 100), leave('gone', 100)];
    expect(learnedLeaves(leaves, [run('a', 103.5), run('b', null)])).toEqual([
      { afterChunk: 2, learnedMs: 3.5 },
      { afterChunk: 2, learnedMs: null },
      { afterChunk: 2, learnedMs: null },
    ]);
  });

  it('is told as a share, a spread and what the threads came to', () => {
    const leaves = [1, 3, null].map((learnedMs, index) => ({ afterChunk: 2 - (index % 2), learnedMs }));
    expect(learnedArm(arm, leaves, defaultInterval)).toMatchObject({
      arm: 'direct',
      learned: { count: 2, of: 3 },
      afterMs: { median: 2, least: 1, most: 3, interval: null },
      chunks: [
        { value: 1, count: 1 },
        { value: 2, count: 2 },
      ],
      rows: [
        { value: 4, count: 2 },
        { value: 6, count: 1 },
      ],
    });
  });

  it('is nothing where no client left, and never where none was told', () => {
    expect(learnedArm(arm, [], defaultInterval)).toMatchObject({ learned: null, afterMs: null, chunks: [] });
    const never = learnedArm(arm, [{ afterChunk: 0, learnedMs: null }], defaultInterval);
    expect(never).toMatchObject({ learned: { count: 0, of: 1 }, afterMs: null });
  });

  it('keeps its order: least, lower bound, median, upper bound, most', () => {
    const times = fc.array(fc.option(fc.double({ min: 0, max: 1e5, noNaN: true })), { maxLength: 40 });
    fc.assert(
      fc.property(times, (all) => {
        const leaves = all.map((learnedMs) => ({ afterChunk: 0, learnedMs }));
        const { learned, afterMs } = learnedArm(arm, leaves, defaultInterval);
        expect(learned?.of ?? 0).toBe(all.length);
        expect(afterMs === null).toBe((learned?.count ?? 0) === 0);
        if (afterMs === null) return;
        const { least, interval, median, most } = afterMs;
        const ordered = [least, interval?.lower ?? least, median, interval?.upper ?? most, most];
        expect(ordered).toEqual(ordered.toSorted((a, b) => a - b));
      }),
    );
  });
});
