/**
 * Analyses a stream of threads on several cores and gives the results back in the order of the source, whatever
 * order the tasks end in: a report must not depend on how many cores a machine has. At most a few batches are in
 * memory at once.
 */
import type { AnalysisOptions, ThreadEvidence } from '#analysis/model/evidence.ts';
import type { AnalysedThread } from '../source/thread-batch.ts';
import { WorkPool } from './work-pool.ts';

/** Threads in one batch: large enough to hide the cost of a message, small enough to bound memory. */
const batchThreads = 16;

/** Batches are short-lived; a young generation of the default size would cost each thread 48 MB. */
const youngMegabytes = 8;

/**
 * Analyses every thread of `source`, in order. `shared`: the pool to use; without one, a pool is made whose threads are
 * gone when the iteration ends, however it does.
 */
export async function* analyseAll(
  source: AsyncIterable<ThreadEvidence>,
  options: AnalysisOptions,
  signal: AbortSignal,
  shared: WorkPool | null = null,
): AsyncGenerator<AnalysedThread> {
  const pool = shared ?? new WorkPool(youngMegabytes);
  const running: Promise<readonly AnalysedThread[]>[] = [];
  const submit = (evidence: readonly ThreadEvidence[]) => {
    const task = pool.analyseBatch({ evidence, options }, signal);
    // A later batch may fail while an earlier one is awaited; it is reported when its turn comes.
    task.catch(() => undefined);
    running.push(task);
  };
  try {
    let batch: ThreadEvidence[] = [];
    for await (const evidence of source) {
      batch.push(evidence);
      if (batch.length < batchThreads) continue;
      submit(batch);
      batch = [];
      if (running.length > pool.threads) yield* (await running.shift()) ?? [];
    }
    if (batch.length > 0) submit(batch);
    for (const task of running) yield* await task;
  } finally {
    if (shared === null) await pool.close();
  }
}
