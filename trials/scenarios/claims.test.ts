import { expect, test } from 'vitest';
import { scenarios } from './registry.ts';

const claiming = scenarios.flatMap(({ name, anomalies = [], arms }) =>
  arms.flatMap(({ name: arm, claim, trigger }) =>
    claim === undefined ? [] : [{ scenario: name, anomalies, arm, claim, trigger }],
  ),
);

test('every claim of an arm names anomalies that its scenario counts', () => {
  expect(claiming.length).toBeGreaterThan(0);
  for (const { anomalies, arm, claim } of claiming) {
    const known = anomalies.map(({ name }) => name);
    const named = claim.kind === 'shows' ? [claim.anomaly] : claim.anomalies;
    expect({ arm, unknown: named.filter((name) => !known.includes(name)) }).toEqual({ arm, unknown: [] });
  }
});

test('every mutant stands beside a remedy that claims to prevent its defect, under the same trigger', () => {
  for (const { scenario, trigger, arm, claim } of claiming) {
    if (claim.kind !== 'shows') continue;
    const twins = claiming.filter(
      (other) =>
        other.scenario === scenario &&
        other.trigger === trigger &&
        other.claim.kind === 'prevents' &&
        other.claim.anomalies.includes(claim.anomaly),
    );
    expect({ arm, hasTwin: twins.length > 0 }).toEqual({ arm, hasTwin: true });
  }
});
