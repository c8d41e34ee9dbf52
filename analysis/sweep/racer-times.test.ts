import { describe, expect, it } from 'vitest';
import type { RunToken, ThreadId } from '../model/identifiers.ts';
import type { RunRecord } from '../model/run.ts';
import { readGaps, runLength } from './racer-times.ts';

const run = (request: string, firstReadMs: number | null, lastPutMs: number | null): RunRecord => ({
  run: `t-1/${request}` as RunToken,
  thread: 't-1' as ThreadId,
  worker: '1',
  outcome: 'completed',
  firstReadMs,
  lastPutMs,
  cancelledMs: null,
  returned: null,
  error: null,
});

describe('times of racers', () => {
  const runs = [run('b', 150, 400), run('first', 0, 90), run('a', 100, 380), run('c', 140, null)];

  it('sets each racer against the one before it, signed', () => {
    expect(readGaps(['a', 'b', 'c'], runs)).toEqual([50, -10]);
  });

  it('knows no gap to a racer that never read, or was never there', () => {
    expect(readGaps(['a', 'b'], [run('a', 100, 200), run('b', null, null)])).toEqual([]);
    expect(readGaps(['a', 'nobody', 'b'], runs)).toEqual([]);
  });

  it('takes a run from its first read to its last stored row', () => {
    expect(runLength('a', runs)).toBe(280);
    expect([runLength('c', runs), runLength('nobody', runs)]).toEqual([null, null]);
  });
});
