/**
 * What every interval of a proportion is computed from: k successes in n trials, and a confidence level. A level is
 * a probability (0.95), never a percentage (95), and the two-sided error 1 - level is split in equal halves.
 */
import { invariant } from '#analysis/model/bug.ts';

/**
 * Throws a bug unless 0 <= count <= of are whole numbers, of is at least 1 and 0 < level < 1: counts are made here,
 * and a level that an operator types is checked where it is read.
 */
export function requireSample(count: number, of: number, level: number): void {
  invariant(Number.isSafeInteger(of) && of >= 1, `an interval needs at least one trial, not ${of}`);
  invariant(
    Number.isSafeInteger(count) && count >= 0 && count <= of,
    `a count of successes lies between 0 and ${of}, unlike ${count}`,
  );
  invariant(level > 0 && level < 1, `a confidence level lies between 0 and 1, unlike ${level}`);
}
