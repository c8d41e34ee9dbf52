/**
 * The analyser for a set of options, made once on each thread of the process: loading hashes and solver costs tens of
 * milliseconds, and all that is analysed of one source is asked the same.
 */
import type { AnalysisOptions } from '#analysis/model/evidence.ts';
import { prepareAnalysis, type Analyser } from '#analysis/prepare.ts';

let prepared: { readonly key: string; readonly analyser: Promise<Analyser> } | null = null;

/** The analyser that was made last, when the options are equal; else a new one. */
export function analyserFor(options: AnalysisOptions): Promise<Analyser> {
  const key = JSON.stringify(options);
  if (prepared?.key !== key) prepared = { key, analyser: prepareAnalysis(options) };
  return prepared.analyser;
}
