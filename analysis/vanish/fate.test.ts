import { describe, expect, it } from 'vitest';
import { fateOf } from './fate.ts';

describe('the fate of an accepted run', () => {
  it.each([
    [null, 'finished', 'unentered'],
    ['running', 'nothing', 'vanished'],
    ['running', 'unfinished', 'resumable'],
    ['running', 'finished', 'unrecorded'],
    ['waiting', 'nothing', 'vanished'],
    ['succeeded', 'finished', 'completed'],
    ['succeeded', 'unfinished', 'contradicted'],
    ['succeeded', 'nothing', 'contradicted'],
    ['failed', 'nothing', 'failed'],
    ['cancelled', 'unfinished', 'failed'],
  ] as const)('is, where the ledger says %s and the rows show %s, %s', (phase, rows, fate) => {
    expect(fateOf(phase, rows)).toBe(fate);
  });
});
