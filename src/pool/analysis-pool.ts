/**
 * Analyses a stream of threads on several cores and gives the results back in the order of the source, whatever
 * order the tasks end in: a report must not depend on how many cores a machine has. At most a few batches are in
 * memory at once.
 */
import { availableParallelism } from 'node:os';
import { Piscina } from 'piscina';
import type { AnalysisOptions, ThreadEvidence } from '#analysis/model/evidence.ts';
import { builtFile } from '../package-root.ts';
import type { AnalysedThread, ThreadBatch } from '../source/thread-batch.ts';

/** Threads in one batch: large enough to hide the cost of a message, small enough to bound memory. */
const batchThreads = 16;

/** Analyses every thread of `source`, in order. The pool's threads are gone when the iteration ends, however it does. */
export async function* analyseAll(
  source: AsyncIterable<ThreadEvidence>,
  options: AnalysisOptions,
  signal: AbortSignal,
): AsyncGenerator<AnalysedThread> {
  const threads = Math.max(1, Math.min(4, availableParallelism()));
  const pool = new Piscina<ThreadBatch, readonly AnalysedThread[]>({
    filename: builtFile('src/pool/analyse-task'),
    minThreads: 1,
    maxThreads: threads,
    // Batches are short-lived; a young generation of the default size would cost each thread 48 MB.
    resourceLimits: { maxYoungGenerationSizeMb: 8 },
  });
  const running: Promise<readonly AnalysedThread[]>[] = [];
  const submit = (evidence: readonly ThreadEvidence[]) => {
    const task = pool.run({ evidence, options }, { signal });
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
      if (running.length > threads) yield* (await running.shift()) ?? [];
    }
    if (batch.length > 0) submit(batch);
    for (const task of running) yield* await task;
  } finally {
    await pool.destroy();
  }
}
