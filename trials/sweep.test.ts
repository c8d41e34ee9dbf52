import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { hasNeighbour, racingOf, stagesOf, type Arm, type Scenario } from './scenario.ts';
import { scenarios } from './scenarios/registry.ts';
import { doublePost } from './scenarios/double-post.ts';
import { gapArm, sweptRace, undisturbedArm } from './sweep.ts';

const racing: readonly (readonly [string, Scenario, Arm])[] = scenarios
  .flatMap((scenario: Scenario) => scenario.arms.map((arm) => [scenario, arm] as const))
  .filter(([scenario, arm]) => racingOf(scenario, arm).length > 1)
  .map(([scenario, arm]) => [`${scenario.name}, ${arm.name}`, scenario, arm]);

describe('the arms of a sweep', () => {
  it.each(racing)(
    '%s: releases each racer one gap behind the one before, in real milliseconds',
    (_, scenario, arm) => {
      const racers = sweptRace(scenario, arm)?.racers ?? [];
      expect(racers.length).toBeGreaterThan(1);
      fc.assert(
        fc.property(
          fc.integer({ min: 0, max: 100_000 }),
          fc.double({ min: 0.001, max: 100, noNaN: true }),
          (gap, scale) => {
            const derived = gapArm(scenario, arm, gap, scale);
            const plans = new Map(
              stagesOf(scenario, derived).flatMap(({ requests }) =>
                requests.map((plan) => [plan.name, plan]),
              ),
            );
            const releases = racers.map((name) => (plans.get(name)?.offsetMs ?? NaN) * scale);
            for (const [index, at] of releases.entries())
              expect(at - (releases[0] ?? NaN)).toBeCloseTo(index * gap, 3);
          },
        ),
        { numRuns: 20 },
      );
    },
  );

  it.each(racing)('%s: leaves everything but the racers as it is', (_, scenario, arm) => {
    const derived = gapArm(scenario, arm, 50, 0.1);
    const racers = sweptRace(scenario, arm)?.racers ?? [];
    const still = (one: Arm) =>
      stagesOf(scenario, one).map((stage) => ({
        ...stage,
        requests: stage.requests.map((plan) =>
          racers.includes(plan.name) ? { ...plan, offsetMs: 0 } : plan,
        ),
      }));
    expect(still(derived)).toEqual(still(arm));
    expect([derived.guard, derived.handler, derived.claim, derived.cell]).toEqual([
      arm.guard,
      arm.handler,
      undefined,
      undefined,
    ]);
    expect(hasNeighbour(scenario, derived)).toBe(hasNeighbour(scenario, arm));
  });

  it('has nothing to set apart where requests come one after another', () => {
    for (const scenario of scenarios.filter((one: Scenario) => one.racing.length < 2))
      expect(sweptRace(scenario, scenario.arms[0])).toBeNull();
  });

  it('measures on the first racer alone, behind the stages before the race', () => {
    const stages = stagesOf(doublePost, undisturbedArm(doublePost, doublePost.arms[0]));
    expect(stages.map(({ requests }) => requests.map(({ name }) => name))).toEqual([['first'], ['retry-a']]);
  });
});
