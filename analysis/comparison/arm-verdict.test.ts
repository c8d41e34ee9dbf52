import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { proportionOf } from '../statistics/proportion.ts';
import { armVerdict, type ArmClaim, type ClaimingRow } from './arm-verdict.ts';

const choice = { method: 'clopper-pearson', level: 0.95 } as const;

function row(arm: string, forks: number | null, of: number, claim: ArmClaim | null = null): ClaimingRow {
  return {
    arm,
    claim,
    shares: [
      { anomaly: 'fork', share: forks === null ? null : proportionOf(forks, of, choice) },
      { anomaly: 'charged again', share: proportionOf(of, of, choice) },
    ],
  };
}

const prevents: ArmClaim = { kind: 'prevents', anomalies: ['fork'] };
const shows: ArmClaim = { kind: 'shows', anomaly: 'fork' };

function outcomeOf(arm: ClaimingRow, ...others: readonly ClaimingRow[]): string | undefined {
  return armVerdict(arm, [arm, ...others], 0.95)?.outcome;
}

describe('a remedy', () => {
  test('holds where it shows none of what another arm shows', () => {
    expect(outcomeOf(row('lock', 0, 300, prevents), row('none', 300, 300))).toBe('held');
  });

  test('is broken by one occurrence', () => {
    expect(outcomeOf(row('lock', 1, 300, prevents), row('none', 300, 300))).toBe('broken');
  });

  test('is not put to the test where no other arm shows what it prevents, or too few trials tell them apart', () => {
    expect(outcomeOf(row('lock', 0, 300, prevents), row('none', 0, 300))).toBe('untested');
    expect(outcomeOf(row('lock', 0, 300, prevents))).toBe('untested');
    expect(outcomeOf(row('lock', 0, 2, prevents), row('none', 1, 2))).toBe('untested');
  });

  test('has no verdict on what nothing measured', () => {
    expect(outcomeOf(row('lock', null, 300, prevents), row('none', 300, 300))).toBe('not-measured');
  });

  test('is held against the arm that shows the damage most clearly', () => {
    const lock = row('lock', 0, 100, prevents);
    const verdict = armVerdict(lock, [row('none', 20, 100), lock, row('mutant', 90, 100, shows)], 0.95);
    expect(verdict?.claims[0]?.contrast?.arm).toBe('mutant');
  });

  test('is told what it does not prevent and did not', () => {
    const lock = row('lock', 0, 300, prevents);
    expect(armVerdict(lock, [lock, row('none', 300, 300)], 0.95)?.remains).toMatchObject([
      { anomaly: 'charged again', share: { count: 300, of: 300 } },
    ]);
  });
});

describe('a mutant', () => {
  test('shows its defect by an interval that excludes zero, beside its sound twin', () => {
    const mutant = row('mutant', 3, 300, shows);
    const verdict = armVerdict(mutant, [row('none', 300, 300), row('lock', 0, 300, prevents), mutant], 0.95);
    expect(verdict?.outcome).toBe('shown');
    expect(verdict?.claims[0]?.contrast?.arm).toBe('lock');
  });

  test('that shows no defect is said not to', () => {
    expect(outcomeOf(row('mutant', 0, 300, shows), row('lock', 0, 300, prevents))).toBe('not-shown');
  });
});

test('an arm that claims nothing has no verdict', () => {
  expect(outcomeOf(row('none', 3, 3), row('lock', 0, 3, prevents))).toBeUndefined();
});

test('a claim of prevention holds only with a count of zero and less of it than elsewhere', () => {
  fc.assert(
    fc.property(fc.nat(40), fc.nat(40), fc.integer({ min: 1, max: 40 }), (mine, theirs, of) => {
      const lock = row('lock', Math.min(mine, of), of, prevents);
      const none = row('none', Math.min(theirs, of), of);
      const outcome = outcomeOf(lock, none);
      if (mine > 0) expect(outcome).toBe('broken');
      else expect(['held', 'untested']).toContain(outcome);
      if (outcome === 'held') expect(theirs).toBeGreaterThan(0);
      // More trials of the same shares never take a verdict back.
      if (outcome === 'held')
        expect(
          outcomeOf(row('lock', 0, 2 * of, prevents), row('none', 2 * Math.min(theirs, of), 2 * of)),
        ).toBe('held');
    }),
  );
});
