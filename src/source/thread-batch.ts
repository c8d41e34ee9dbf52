/**
 * The unit of work that travels to a pool task: the evidence of some threads. Everything in it survives structured
 * cloning (Maps, plain records, byte arrays), so a task needs no reader of its own.
 */
import type { AnalysisOptions, ThreadEvidence } from '#analysis/model/evidence.ts';
import type { ThreadReport } from '#analysis/model/report.ts';
import type { TrialOutcomes } from '#analysis/model/trial.ts';

/** What a task is given. */
export interface ThreadBatch {
  readonly evidence: readonly ThreadEvidence[];
  readonly options: AnalysisOptions;
}

/** What a task gives back, in the order of the batch. */
export interface AnalysedThread {
  readonly report: ThreadReport;
  readonly outcomes: TrialOutcomes;
}
