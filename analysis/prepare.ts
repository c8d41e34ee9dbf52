/**
 * Loads what the analysis needs before it can be a pure function: the hash functions that recompute task ids and the
 * solver behind mid-graph starts. The solver answers one vector of counts at a time and asynchronously; few threads
 * ask, so a thread that does is analysed again once the answer is known.
 */
import type { AnalysisOptions, ThreadEvidence } from './model/evidence.ts';
import type { NodeCounts, ThreadReport } from './model/report.ts';
import type { AnalysisTools } from './anomalies/facts.ts';
import { analyseThread } from './analyse.ts';
import { startsExplainer, type MidGraphStarts, type ThreadTrait } from './invariants/mid-graph-starts.ts';
import { loadHashes } from './serialization/task-ids.ts';

/** Analyses threads with everything loaded. */
export type Analyser = (evidence: ThreadEvidence) => Promise<ThreadReport>;

/** Prepares an analyser for one set of options; it can be used for any number of threads. */
export async function prepareAnalysis(options: AnalysisOptions): Promise<Analyser> {
  const hashes = await loadHashes();
  if (options.shape == null) {
    return (evidence) => Promise.resolve(analyseThread(evidence, options, { hashes, explainStarts: null }));
  }
  const explain = startsExplainer(options.shape);
  const answers = new Map<string, MidGraphStarts>();
  return async (evidence) => {
    const asked = new Map<string, readonly [NodeCounts, ThreadTrait]>();
    const tools: AnalysisTools = {
      hashes,
      explainStarts: (counts, trait) => {
        const key = JSON.stringify([[...counts].sort(), trait.forked]);
        const answer = answers.get(key);
        if (answer === undefined) asked.set(key, [counts, trait]);
        return answer ?? null;
      },
    };
    const report = analyseThread(evidence, options, tools);
    if (asked.size === 0) return report;
    for (const [key, [counts, trait]] of asked) answers.set(key, await explain(counts, trait));
    return analyseThread(evidence, options, tools);
  };
}
