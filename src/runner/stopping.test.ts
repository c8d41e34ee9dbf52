import { describe, expect, it } from 'vitest';
import type { ArmSummary } from '#analysis/model/trial.ts';
import { clopperPearson } from '#analysis/statistics/clopper-pearson.ts';
import { batchesOf, stoppingShare } from './stopping.ts';

function arm(values: readonly (readonly [number | string, number])[]): ArmSummary {
  const of = values.reduce((sum, [, count]) => sum + count, 0);
  const interval = clopperPearson(0, of, 0.95);
  return {
    ...{ arm: 'none', trials: of, completed: of, aborted: 0, abortReasons: [], overlapped: null },
    outcomes: [{ key: 'forks', values: values.map(([value, count]) => ({ value, count, of, interval })) }],
  };
}

describe('whether a series has seen enough', () => {
  it('is judged by the share of trials in which the outcome is above zero', () => {
    const share = stoppingShare(
      arm([
        [0, 30],
        [1, 8],
        [2, 2],
      ]),
      { outcome: 'forks', value: null, width: 0.5 },
      0.95,
    );
    expect(share).toMatchObject({ count: 10, of: 40, isEnough: true });
  });

  it('is judged by the share of a value where one is named', () => {
    const stopping = { outcome: 'forks', value: 'double-input', width: 0.01 };
    const share = stoppingShare(
      arm([
        ['double-input', 9],
        ['none', 1],
      ]),
      stopping,
      0.95,
    );
    expect(share).toMatchObject({ count: 9, of: 10, isEnough: false });
  });

  it('needs many more trials for a narrow interval than for a wide one', () => {
    const enough = (of: number, width: number) =>
      stoppingShare(arm([[1, of]]), { outcome: 'forks', value: null, width }, 0.95)?.isEnough;
    expect([enough(20, 0.1), enough(100, 0.1), enough(100, 0.01)]).toEqual([false, true, false]);
  });

  it('is asked between batches that hold every plan once, in order, and grow', () => {
    const plans = Array.from({ length: 333 }, (_, index) => index);
    const batches = [...batchesOf(plans, 3)];
    expect(batches.flat()).toEqual(plans);
    const sizes = batches.slice(0, -1).map(({ length }) => length);
    expect(sizes).toEqual(sizes.toSorted((a, b) => a - b));
    for (const size of sizes) expect(size % 3).toBe(0);
  });
});
