import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { RunRecord } from '../model/run.ts';
import type { RunToken, ThreadId } from '../model/identifiers.ts';
import { allOverlap, overlap } from './overlap.ts';

function run(firstReadMs: number | null, lastPutMs: number | null): RunRecord {
  return {
    run: 'r' as RunToken,
    thread: 't' as ThreadId,
    worker: 'w',
    outcome: 'completed',
    firstReadMs,
    lastPutMs,
    cancelledMs: null,
    returned: null,
    error: null,
  };
}
const interval = fc
  .tuple(fc.integer({ min: 0, max: 50 }), fc.integer({ min: 0, max: 50 }))
  .map(([a, b]) => run(Math.min(a, b), Math.max(a, b)));

describe('the overlap of runs', () => {
  it('is symmetric, and reflexive for a run that read and stored', () => {
    fc.assert(
      fc.property(interval, interval, (a, b) => {
        expect(overlap(a, b)).toBe(overlap(b, a));
        expect(overlap(a, a)).toBe(true);
      }),
    );
  });

  it('holds exactly when some instant lies in both intervals', () => {
    fc.assert(
      fc.property(interval, interval, (a, b) => {
        const instants = Array.from({ length: 51 }, (_, t) => t);
        const inside = (r: RunRecord, t: number) => t >= (r.firstReadMs ?? 99) && t <= (r.lastPutMs ?? -1);
        expect(overlap(a, b)).toBe(instants.some((t) => inside(a, t) && inside(b, t)));
      }),
    );
  });

  it('is unknown when a run never stored anything', () => {
    expect(overlap(run(1, null), run(0, 9))).toBeNull();
    expect(allOverlap([run(1, null), run(0, 9)])).toBeNull();
  });

  it('of three runs is false as soon as one pair is disjoint, whatever is unknown', () => {
    expect(allOverlap([run(0, 1), run(null, 9), run(5, 6)])).toBe(false);
  });

  it('of one run alone is no statement', () => {
    expect(allOverlap([run(0, 1)])).toBeNull();
  });
});
