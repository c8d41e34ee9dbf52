/**
 * Refusals in trials with two threads: whoever was turned away, and whoever was although nobody else had its thread,
 * which is what a mitigation does to the innocent.
 */
import type { RunRecord } from '#analysis/model/run.ts';
import type { StartedRun } from './trial-context.ts';

/** Outcomes of both threads together; those of one thread follow from its runs. */
export function refusals(
  started: readonly StartedRun[],
  records: readonly RunRecord[],
): ReadonlyMap<string, number> {
  const refused = records.filter(({ outcome }) => outcome === 'refused');
  const isAlone = ({ thread }: RunRecord) => started.filter((other) => other.thread === thread).length === 1;
  return new Map([
    ['refused', refused.length],
    ['refusedAlone', refused.filter(isAlone).length],
  ]);
}
