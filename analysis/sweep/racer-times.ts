/**
 * What the workers' clocks say of racers: how far apart they read the thread, and how long a run took. All workers of a
 * series are on one machine and its monotonic clock. Easy to get wrong: a gap is between first reads, so it holds
 * whatever a request waited for before it was let in, and is negative where the later racer read first.
 */
import type { RunRecord } from '../model/run.ts';

/** Milliseconds between the first reads of each racer and the next; none for a pair of which one never read. */
export function readGaps(racers: readonly string[], runs: readonly RunRecord[]): readonly number[] {
  const reads = racers.map((request) => runOf(request, runs)?.firstReadMs ?? null);
  return reads.flatMap((read, index) => {
    const before = index === 0 ? null : (reads[index - 1] ?? null);
    return read === null || before === null ? [] : [read - before];
  });
}

/** Milliseconds from the first read to the last stored row of the request's run; null when either is unknown. */
export function runLength(request: string, runs: readonly RunRecord[]): number | null {
  const run = runOf(request, runs);
  return run === undefined || run.firstReadMs === null || run.lastPutMs === null
    ? null
    : run.lastPutMs - run.firstReadMs;
}

/** Run tokens end in `/<request>`. */
function runOf(request: string, runs: readonly RunRecord[]): RunRecord | undefined {
  return runs.find(({ run }) => run.endsWith(`/${request}`));
}
