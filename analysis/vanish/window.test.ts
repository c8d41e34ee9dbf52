import { expect, it } from 'vitest';
import { windowDistribution } from './window.ts';

it('has no distribution without runs', () => {
  expect(windowDistribution([], 0.95)).toBeNull();
});

it('counts a row that was there before the answer as no window, not as a negative one', () => {
  const window = windowDistribution([-5, 0, 10, 30], 0.95);
  expect(window).toMatchObject({ runs: 4, without: 2, mean: 10, p95: 30, max: 30 });
  expect(window?.median).toBeNull();
});

it('gives the median an interval when the sample is large enough', () => {
  const windows = Array.from({ length: 101 }, (_, index) => 100 - index);
  const window = windowDistribution(windows, 0.95);
  expect(window?.median?.median).toBe(50);
  expect(window?.median?.lower).toBeLessThan(50);
  expect(window?.median?.upper).toBeGreaterThan(50);
  expect(window?.p95).toBe(95);
});
