import { expect, it } from 'vitest';
import { proportionOf } from '../statistics/proportion.ts';
import { expectedLosses } from './expected-losses.ts';

it('is rate times mean window, by the share of a span that the kills met (Little 1961)', () => {
  const share = proportionOf(20, 200, { method: 'wilson', level: 0.95 });
  if (share === null) throw new Error('there were kills');
  // A tenth of 600 ms is a window of 60 ms; one start a second leaves 0.06 runs in it.
  const losses = expectedLosses(share, 600, 3_600);
  expect(losses.mean).toBeCloseTo(0.06, 12);
  expect(losses.lower).toBeCloseTo(share.interval.lower * 0.6, 12);
  expect(losses.upper).toBeCloseTo(share.interval.upper * 0.6, 12);
});

it('grows with the rate and not with the span for the same window', () => {
  const [short, long] = [proportionOf(40, 200, choice()), proportionOf(10, 200, choice())];
  if (short === null || long === null) throw new Error('there were kills');
  expect(expectedLosses(short, 100, 7_200).mean).toBeCloseTo(expectedLosses(long, 400, 7_200).mean, 12);
});

function choice(): { readonly method: 'wilson'; readonly level: number } {
  return { method: 'wilson', level: 0.95 };
}
