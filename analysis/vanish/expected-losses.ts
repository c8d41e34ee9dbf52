/**
 * How many runs does ending all workers once lose? Runs start at a known rate, and a run can be lost between its answer
 * and its first row. *Source*: J. D. C. Little, "A proof for the queuing formula: L = λW", Operations Research 9(3), 1961:
 * the mean number in a state is the rate times the mean time in it, whatever the distribution.
 */
import type { Proportion } from '../model/interval.ts';

/** Runs, as an estimate and its bounds. */
export interface ExpectedLosses {
  readonly mean: number;
  readonly lower: number;
  readonly upper: number;
}

const msPerHour = 3_600_000;

/**
 * From kills: `lost` is the share of runs that were lost, whose ages at the kill were spread evenly over `spanMs`. Share
 * times span is the mean window, so its interval is that of the share. *Assumes* that runs start independently of deploys.
 */
export function expectedLosses(
  { count, of, interval }: Proportion,
  spanMs: number,
  startsPerHour: number,
): ExpectedLosses {
  const perShare = (startsPerHour / msPerHour) * spanMs;
  return {
    mean: (count / of) * perShare,
    lower: interval.lower * perShare,
    upper: interval.upper * perShare,
  };
}
