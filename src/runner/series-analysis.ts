/**
 * From a run directory to outcomes with intervals. Reads files alone, so a series of last month is analysed exactly
 * as the one that has just ended.
 */
import type { LogHealth } from '#analysis/model/effect.ts';
import type { CountRule } from '#analysis/model/invariant.ts';
import type { RunRecord } from '#analysis/model/run.ts';
import type { ThreadReport } from '#analysis/model/report.ts';
import type { ArmSummary, Trial } from '#analysis/model/trial.ts';
import { allOverlap } from '#analysis/runs/overlap.ts';
import { ArmTally } from '#analysis/statistics/distribution.ts';
import { SourceTally, type SourceSummary } from '../audit/thread-verdicts.ts';
import { analyseAll } from '../pool/analysis-pool.ts';
import { optionsFor, type SeriesSettings } from '../rundir/series-file.ts';
import { openRunDirectory, type StoredTrial } from '../source/run-directory.ts';

/** What a series showed. Findings and totals are those of completed trials; aborted ones are in the arm alone. */
export interface SeriesAnalysis {
  readonly arm: ArmSummary;
  readonly summary: SourceSummary;
  /** The first completed trial that is not valid, else the first one; null without any. */
  readonly example: ThreadReport | null;
  readonly health: LogHealth;
}

/** Analyses a stored series. Fails with an OperatorError that names file and line. */
export async function analyseSeries(
  folder: string,
  settings: SeriesSettings & { readonly rules: readonly CountRule[] },
  signal: AbortSignal,
): Promise<SeriesAnalysis> {
  const source = await openRunDirectory(folder);
  const tally = new ArmTally('none');
  const sums = new SourceTally();
  let example: ThreadReport | null = null;
  const analysed = analyseAll(source.threads(), optionsFor(settings, settings.rules), signal);
  for await (const { report, outcomes } of analysed) {
    const stored = source.trials.get(report.thread);
    if (stored === undefined) continue;
    const runs = source.runs.get(report.thread) ?? [];
    tally.add(trialOf(stored, outcomes, overlapOf(settings.racing, runs)));
    if (stored.abortReason !== null) continue;
    sums.add(report);
    if (example === null || (example.verdict === 'valid' && report.verdict !== 'valid')) example = report;
  }
  const arm = tally.summary({ ...settings.interval, nodeOrder: settings.counted });
  return { arm, summary: sums.summary, example, health: source.health };
}

function trialOf(
  stored: StoredTrial,
  outcomes: ReadonlyMap<string, string | number | boolean>,
  overlapped: boolean | null,
): Trial {
  const { trial, thread, abortReason } = stored;
  return abortReason === null
    ? { kind: 'completed', trial, thread, outcomes, overlapped }
    : { kind: 'aborted', trial, thread, reason: abortReason };
}

/** Run tokens end in `/<request>`; only the declared racers are compared. */
function overlapOf(racing: readonly string[], runs: readonly RunRecord[]): boolean | null {
  return allOverlap(runs.filter(({ run }) => racing.some((request) => run.endsWith(`/${request}`))));
}
