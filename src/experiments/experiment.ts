/**
 * An experiment: a question about workers that is not "n threads under arms", such as what a killed process leaves. It
 * has a runner of its own, and the command line's shared options.
 */
import type { Durability } from '#trials/scenario.ts';
import type { IntervalChoice } from '#analysis/statistics/proportion.ts';
import type { SeriesWatcher } from '../runner/series-options.ts';
import type { Palette } from '../report/style.ts';

/** What the command line says; what was not said is null, and the experiment then chooses. */
export interface ExperimentOptions {
  readonly trials: number | null;
  /** Of the experiment's arms; null: all. */
  readonly arms: readonly string[] | null;
  readonly durability: Durability | null;
  readonly workers: number | null;
  /** Multiplies delays. */
  readonly scale: number | null;
  readonly seed: number;
  readonly interval: IntervalChoice;
  /** Where run directories are made. */
  readonly out: string;
  /** An existing server; null starts an embedded one. */
  readonly db: string | null;
  readonly keepDb: boolean;
  /** Vanish: runs that users start an hour; null: not told. */
  readonly startsPerHour: number | null;
  /** For texts. */
  readonly palette: Palette;
}

/** How an experiment came out. */
export interface ExperimentResult {
  /** For people, without a final line feed. */
  readonly text: string;
  /** The same as data, a format of its own (`forkscope-vanish/1` …). */
  readonly json: unknown;
  /** 0, 1 or 2 as README's table of exit codes says. */
  readonly exitCode: 0 | 1 | 2;
}

/** Runs an experiment. *Fails* with SeriesInterrupted when stopped, with an OperatorError when the environment fails. */
export type RunExperiment = (
  options: ExperimentOptions,
  watcher: SeriesWatcher,
  stop: AbortSignal,
) => Promise<ExperimentResult>;

/** An experiment by name. */
export interface Experiment {
  readonly name: string;
  /** One line for lists and `--help`. */
  readonly summary: string;
  /** What it can show to be true or false, one sentence. */
  readonly claim: string;
  /** What `--arms` can choose from; a control is run whatever is chosen. Empty: nothing to choose. */
  readonly arms: readonly { readonly name: string; readonly summary: string }[];
  readonly load: () => Promise<RunExperiment>;
}
