/**
 * From a run directory to outcomes with intervals. Reads files alone, so a series of last month is analysed exactly
 * as the one that has just ended.
 */
import type { LogHealth } from '#analysis/model/effect.ts';
import type { CountRule } from '#analysis/model/invariant.ts';
import type { RunRecord } from '#analysis/model/run.ts';
import type { ThreadReport } from '#analysis/model/report.ts';
import type { ArmSummary, Trial, TrialOutcomes } from '#analysis/model/trial.ts';
import { readGaps } from '#analysis/sweep/racer-times.ts';
import { allOverlap } from '#analysis/runs/overlap.ts';
import { refusedOutcomes } from '#analysis/runs/refused-runs.ts';
import { learnedLeaves, type LearnedLeave } from '#analysis/disconnect/when-learned.ts';
import { leftOutcomes } from '#analysis/disconnect/left-outcomes.ts';
import { ArmTally, type SummaryOptions } from '#analysis/statistics/distribution.ts';
import { SourceTally, type SourceSummary } from '../audit/thread-verdicts.ts';
import { analyseAll } from '../pool/analysis-pool.ts';
import { optionsFor, type SeriesSettings } from '../rundir/series-file.ts';
import { openRunDirectory } from '../source/run-directory.ts';
import type { StoredTrial } from '../source/run-history.ts';

/** What one arm showed. Findings and totals are those of completed trials; aborted ones are in the outcomes alone. */
export interface ArmAnalysis {
  readonly outcomes: ArmSummary;
  readonly findings: SourceSummary;
  /** Milliseconds of the completed trials, ascending, by what they measure. */
  readonly measures: ReadonlyMap<string, readonly number[]>;
  /** Milliseconds between the first reads of racers that a sweep set apart, ascending; empty where it is no sweep. */
  readonly readGapsMs: readonly number[];
  /** Clients that left in completed trials, and when their worker learned it. */
  readonly leaves: readonly LearnedLeave[];
}

/** What a series showed. */
export interface SeriesAnalysis {
  /** In the order of the series; every arm of it, also one without a finished trial. */
  readonly arms: readonly ArmAnalysis[];
  /** Over all arms. */
  readonly summary: SourceSummary;
  readonly completed: number;
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
  const arms = new Map(armNames(settings).map((name) => [name, new GrowingArm(name)]));
  const sums = new SourceTally();
  let completed = 0;
  let example: ThreadReport | null = null;
  const analysed = analyseAll(source.threads(), optionsFor(settings, settings.rules), signal);
  for await (const { report, outcomes } of analysed) {
    const stored = source.trials.get(report.thread);
    const arm = stored === undefined ? undefined : arms.get(stored.arm);
    if (stored === undefined || arm === undefined) continue;
    const runs = source.runs.get(report.thread) ?? [];
    const racing = racingIn(settings, stored.arm);
    const seen = new Map([...outcomes, ...refusedOutcomes(runs), ...stored.outcomes]);
    const all = new Map([...seen, ...leftOutcomes(seen)]);
    if (settings.target !== undefined) for (const key of unknownOfServices) all.delete(key);
    arm.tally.add(trialOf(stored, all, overlapOf(racing, runs)));
    if (stored.abortReason !== null) continue;
    completed += 1;
    sums.add(report);
    arm.sums.add(report);
    arm.measure(stored.measures);
    arm.leaves.push(...learnedLeaves(stored.leaves, runs));
    if (settings.swept !== undefined) arm.readGaps.push(...readGaps(settings.swept.racers, runs));
    if (example === null || (example.verdict === 'valid' && report.verdict !== 'valid')) example = report;
  }
  const choice = { ...settings.interval, nodeOrder: settings.counted };
  return {
    arms: [...arms.values()].map((arm) => arm.analysis(choice)),
    summary: sums.summary,
    completed,
    example,
    health: source.health,
  };
}

/** What only the ends and the results of runs tell, which a service of somebody else does not give away. */
const unknownOfServices = ['zombies', 'misreadLeaves', 'lostRecords'];

class GrowingArm {
  readonly tally: ArmTally;
  readonly sums = new SourceTally();
  readonly readGaps: number[] = [];
  readonly leaves: LearnedLeave[] = [];
  readonly #measures = new Map<string, number[]>();

  constructor(name: string) {
    this.tally = new ArmTally(name);
  }

  measure(measures: ReadonlyMap<string, number>): void {
    for (const [key, ms] of measures) {
      const values = this.#measures.get(key);
      if (values === undefined) this.#measures.set(key, [ms]);
      else values.push(ms);
    }
  }

  analysis(choice: SummaryOptions): ArmAnalysis {
    return {
      outcomes: this.tally.summary(choice),
      findings: this.sums.summary,
      measures: new Map([...this.#measures].map(([key, values]) => [key, values.toSorted((a, b) => a - b)])),
      readGapsMs: this.readGaps.toSorted((a, b) => a - b),
      leaves: this.leaves,
    };
  }
}

/** A series that was stored before there were several arms has one without a name of its own. */
function armNames({ compared, target }: SeriesSettings): readonly string[] {
  return compared.length === 0
    ? [target === undefined ? 'none' : 'target']
    : compared.map(({ name }) => name);
}

function racingIn({ compared, racing }: SeriesSettings, arm: string): readonly string[] {
  return compared.find(({ name }) => name === arm)?.racing ?? racing;
}

function trialOf(
  { trial, thread, abortReason }: StoredTrial,
  outcomes: TrialOutcomes,
  overlapped: boolean | null,
): Trial {
  return abortReason === null
    ? { kind: 'completed', trial, thread, outcomes, overlapped }
    : { kind: 'aborted', trial, thread, reason: abortReason };
}

/** Run tokens end in `/<request>`; only the declared racers are compared. */
function overlapOf(racing: readonly string[], runs: readonly RunRecord[]): boolean | null {
  return allOverlap(runs.filter(({ run }) => racing.some((request) => run.endsWith(`/${request}`))));
}
