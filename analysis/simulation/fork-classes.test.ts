import { describe, expect, test } from 'vitest';
import { analyseThread } from '../analyse.ts';
import type { NodeName, RunToken, ThreadId } from '../model/identifiers.ts';
import type { RunPlan } from './simulated-run.ts';
import { simulate, type Play } from './simulate.ts';

describe('two runs', () => {
  const run = (name: string, begins: RunPlan['begins'], cancelAfter: number | null = null): RunPlan => ({
    run: name as RunToken,
    worker: name,
    begins,
    cancelAfter,
    zombie: false,
  });
  const classOf = (runs: readonly RunPlan[], schedule: readonly number[]): string | null | undefined => {
    const play: Play = {
      thread: 'drawn' as ThreadId,
      nodes: ['plan', 'charge'] as NodeName[],
      runs,
      schedule,
      minting: 'counted',
    };
    return analyseThread(simulate(play).evidence, { rules: [] }).namespaces[0]?.forks[0]?.class;
  };
  const times = (count: number, index: number): number[] => Array.from({ length: count }, () => index);

  test.each([
    ['two-roots', [run('a', 'input'), run('b', 'input')], [0, 1]],
    ['double-input', [run('z', 'input'), run('a', 'input'), run('b', 'input')], [...times(99, 0), 1, 2]],
    ['input-during-run', [run('a', 'input'), run('b', 'input')], [...times(8, 0), ...times(3, 1)]],
    ['late-worker', [run('a', 'input'), run('b', 'resume')], [...times(6, 0), ...times(5, 1)]],
    [
      'double-resume',
      [run('z', 'input', 6), run('a', 'resume'), run('b', 'resume')],
      [...times(9, 0), 1, 2, ...times(9, 1)],
    ],
  ] as const)('that make a fork of class %s are named so', (expected, runs, schedule) => {
    expect(classOf(runs, schedule)).toBe(expected);
  });
});
