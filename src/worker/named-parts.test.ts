/** Arms name what serves them; a misspelt name would only show when a worker gets its first request. */
import { describe, expect, it } from 'vitest';
import { scenarios } from '#trials/scenarios/registry.ts';
import { serviceNames } from '../services/registry.ts';
import { guardNames } from './guards/registry.ts';
import { handlerNames } from './handlers/registry.ts';

describe.each(scenarios.map((scenario) => [scenario.name, scenario.arms] as const))('%s', (_, arms) => {
  it.each(arms.map((arm) => [arm.name, arm] as const))('arm %s names parts that there are', (_name, arm) => {
    expect(handlerNames).toContain(arm.handler);
    expect(guardNames).toContain(arm.guard);
    for (const service of arm.services) expect(serviceNames).toContain(service);
  });

  it('has arms of different names', () => {
    expect(new Set(arms.map(({ name }) => name)).size).toBe(arms.length);
  });
});
