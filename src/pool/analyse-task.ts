/** The pool task: calls the analysis and nothing else. Runs in a thread of its own, from built JavaScript. */
import { outcomesOf } from '#analysis/analyse.ts';
import { prepareAnalysis, type Analyser } from '#analysis/prepare.ts';
import type { AnalysisOptions } from '#analysis/model/evidence.ts';
import type { AnalysedThread, ThreadBatch } from '../source/thread-batch.ts';

/** Loading hashes and solver costs tens of milliseconds; all batches of a source ask with the same options. */
let prepared: { readonly key: string; readonly analyser: Promise<Analyser> } | null = null;

/** Analyses a batch of threads. */
export default async function analyseBatch(batch: ThreadBatch): Promise<readonly AnalysedThread[]> {
  const analyse = await analyserFor(batch.options);
  const results: AnalysedThread[] = [];
  for (const evidence of batch.evidence) {
    const report = await analyse(evidence);
    results.push({ report, outcomes: outcomesOf(report, evidence) });
  }
  return results;
}

function analyserFor(options: AnalysisOptions): Promise<Analyser> {
  const key = JSON.stringify(options);
  if (prepared?.key !== key) prepared = { key, analyser: prepareAnalysis(options) };
  return prepared.analyser;
}
