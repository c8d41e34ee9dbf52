import { describe, expect, it } from 'vitest';
import { leaveClass } from './leave-class.ts';

describe('what became of a run whose client left', () => {
  it.each([
    [
      'stopped',
      'it has something left to run and did nothing that its client was not told of',
      false,
      2,
      2,
      2,
    ],
    ['half-completed', 'it went on for one node and then stopped', false, 3, 3, 2],
    ['completed', 'nothing is left to run', true, 4, 4, 2],
    ['zombie', 'an effect landed that no row commits', false, 3, 2, 2],
    ['zombie', 'an effect landed that no row commits, although it also went on', false, 4, 3, 2],
    ['zombie', 'nothing is left to run, and one thing was done that no row commits', true, 5, 4, 2],
  ] as const)('%s: %s', (expected, _, isTerminal, logged, committed, told) => {
    expect(leaveClass({ isTerminal, logged, committed, told })).toBe(expected);
  });
});
