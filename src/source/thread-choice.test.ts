import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { CheckpointId } from '#analysis/model/identifiers.ts';
import { idTimeMs } from '#analysis/rows/id-time.ts';
import {
  checkpointTimeMs,
  idLowerBound,
  isInWindow,
  NewestThreads,
  newestActivity,
} from './thread-choice.ts';

const id = '1f1ed063-05b6-6a00-8000-000000000001' as CheckpointId;
const idMs = idTimeMs(id) ?? Number.NaN;

/** The id of a number of 100 ns ticks since 1582. */
function idAt(ticks: bigint): CheckpointId {
  const hex = ticks.toString(16).padStart(15, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-6${hex.slice(12)}-ffff-00000000000a` as CheckpointId;
}

describe('the time of a thread', () => {
  test('is that of its greatest id, whatever order the rows come in', () => {
    const older = idAt(0x1f1ed06305b6a00n - 10_000n);
    const rows = [older, id, older].map((one) => ({ id: one, timestamp: null }));
    expect(newestActivity(rows)).toBe(idMs);
    expect(newestActivity([])).toBeNull();
  });

  test('comes from ts where ids are foreign, and is unknown where neither tells', () => {
    const foreign = 'checkpoint-7' as CheckpointId;
    expect(checkpointTimeMs(foreign, '2026-11-30T21:37:06.208456+00:00')).toBeCloseTo(
      Date.UTC(2026, 10, 30, 21, 37, 6, 208),
      -1,
    );
    expect(checkpointTimeMs(foreign, 'yesterday')).toBeNull();
    expect(checkpointTimeMs(id, '1999-01-01T00:00:00Z')).toBe(idMs);
  });

  test('decides: since is the first moment in, until the first one out', () => {
    const window = { sinceMs: 10, untilMs: 20, limit: null };
    expect([9, 10, 19, 20, null].map((time) => isInWindow(window, time))).toEqual([
      false,
      true,
      true,
      false,
      false,
    ]);
    expect(isInWindow({ sinceMs: null, untilMs: null, limit: 5 }, null)).toBe(true);
  });
});

describe('the bound of ids', () => {
  test('is never above an id of its time or later, and never below one of a millisecond before', () => {
    const times = fc.bigInt({ min: 0x1b21dd213814000n, max: 0x2ffffffffffffffn });
    fc.assert(
      fc.property(times, fc.bigInt({ min: 0n, max: 1n << 40n }), (ticks, later) => {
        const time = idTimeMs(idAt(ticks)) ?? Number.NaN;
        const bound = idLowerBound(time);
        expect(bound <= idAt(ticks + later)).toBe(true);
        expect(bound > idAt(ticks - 11_000n - later)).toBe(true);
      }),
    );
  });
});

describe('the newest threads', () => {
  test('are those that sorting all would give, and every other is left out once', () => {
    const threads = fc.uniqueArray(fc.tuple(fc.string(), fc.option(fc.integer({ min: 0, max: 9 }))), {
      selector: ([name]) => name,
    });
    fc.assert(
      fc.property(threads, fc.integer({ min: 1, max: 8 }), (all, limit) => {
        const newest = new NewestThreads<string>(limit);
        const left = all.flatMap(([name, time]) => newest.add(name, time, name));
        const end = newest.end();
        const sorted = all.toSorted(
          ([one, a], [other, b]) => (b ?? -1) - (a ?? -1) || (one < other ? -1 : 1),
        );
        expect(end.newest).toEqual(sorted.slice(0, limit).map(([name]) => name));
        expect([...left, ...end.left, ...end.newest].sort()).toEqual(all.map(([name]) => name).sort());
      }),
    );
  });
});
