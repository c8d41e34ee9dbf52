import { describe, expect, it } from 'vitest';
import { fates, type Fate } from '#analysis/vanish/fate.ts';
import { proportionOf } from '#analysis/statistics/proportion.ts';
import { vanishCells } from '#trials/experiments/vanish.ts';
import type { CountedCell } from './count-cell.ts';
import { judgeVanish, lossesOf } from './vanish-result.ts';

const [none, kill] = vanishCells(['async'], new Set(['kill']));
if (none === undefined || kill === undefined) throw new Error('a control and a fault');

describe('the laws of the experiment', () => {
  it('hold for cells in which every run is accounted for', () => {
    const { laws, verdict } = judgeVanish([
      counted({ cell: none, fates: fatesOf({ completed: 20 }) }),
      counted({ cell: kill, fates: fatesOf({ vanished: 3, resumable: 7, completed: 9, unrecorded: 1 }) }),
    ]);
    expect(laws.flatMap(({ brokenBy }) => brokenBy)).toEqual([]);
    expect(verdict).toBe('valid');
  });

  it.each([
    ['a fate is missing', counted({ cell: kill, fates: fatesOf({ vanished: 3 }) })],
    ['a run has two ledger rows', counted({ cell: kill, notOnce: ['run-1'] })],
    ['the ledger and the rows contradict', counted({ cell: kill, fates: fatesOf({ contradicted: 20 }) })],
    ['the audit says something else', counted({ cell: kill, auditDiffers: ['run-1'] })],
    ['a run vanishes where nothing happens', counted({ cell: none, fates: fatesOf({ vanished: 20 }) })],
    ['the reaper leaves a run', counted({ cell: kill, after: after({ succeeded: 19, other: 1 }) })],
    [
      'an order that ends nobody is quarantined',
      counted({ cell: kill, after: after({ succeeded: 19, quarantined: 1 }) }),
    ],
  ])('are broken where %s', (_, cell) => {
    const { laws, verdict } = judgeVanish([cell]);
    expect(verdict).toBe('invalid');
    expect(laws.filter(({ brokenBy }) => brokenBy.length > 0).length).toBeGreaterThan(0);
  });

  it('are unknown to hold where no run was accepted', () => {
    const cell = counted({ cell: kill, accepted: 0, fates: fatesOf({}), vanished: null });
    expect(judgeVanish([cell]).verdict).toBe('unknown');
  });
});

it('tells losses only for cells whose workers were ended, and only where a rate is known', () => {
  expect(lossesOf(counted({ cell: kill, kills: 1 }), null)).toBeNull();
  expect(lossesOf(counted({ cell: none, kills: 0 }), 3_600)).toBeNull();
  expect(lossesOf(counted({ cell: kill, kills: 1, spanMs: 1_000 }), 3_600)?.mean).toBeCloseTo(0.1, 12);
});

function fatesOf(counts: Partial<Record<Fate, number>>): ReadonlyMap<Fate, number> {
  return new Map(fates.map((fate) => [fate, counts[fate] ?? 0]));
}

function after(part: Partial<NonNullable<CountedCell['after']>>): CountedCell['after'] {
  return { succeeded: 0, quarantined: 0, other: 0, chargedAgain: null, endedReapers: 0, ...part };
}

function counted(part: Partial<CountedCell> & Pick<CountedCell, 'cell'>): CountedCell {
  return {
    ...{ kills: 1, cuts: 0, posted: 24, accepted: 20, refused: 0, unanswered: 4, enteredUnaccepted: 0 },
    vanishedUnaccepted: 0,
    ...{ spanMs: 500, chargedWithoutRow: 0, auditDiffers: [], notOnce: [], after: null, window: null },
    fates: fatesOf({ completed: 20 }),
    vanished: proportionOf(2, 20, { method: 'wilson', level: 0.95 }),
    ...part,
  };
}
