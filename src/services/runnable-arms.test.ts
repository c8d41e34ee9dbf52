import { describe, expect, it } from 'vitest';
import { scenarioNamed } from '#trials/scenarios/registry.ts';
import { proxy } from '#trials/scenarios/proxy.ts';
import { runnableArms } from './runnable-arms.ts';

const names = (arms: readonly { readonly name: string }[]) => arms.map(({ name }) => name);

describe('arms that need nginx', () => {
  it('run where it is installed', () => {
    expect(runnableArms(proxy.arms, true)).toEqual({ arms: proxy.arms, leftOut: null });
  });

  it('are left out by name where it is not, with a remedy', () => {
    const { arms, leftOut } = runnableArms(proxy.arms, false);
    expect(names(arms)).toEqual(['direct']);
    expect(leftOut).toMatch(/defaults, .* are left out\. Install it/);
  });

  it('are an error where nobody else is asked for', () => {
    const [, second] = proxy.arms;
    expect(() => runnableArms([second ?? proxy.arms[0]], false)).toThrow('defaults needs');
  });

  it('are no others', () => {
    const arms = scenarioNamed('double-post')?.arms;
    if (arms !== undefined) expect(runnableArms(arms, false).leftOut).toBeNull();
    expect(arms).toBeDefined();
  });
});
