/** How a series is run: what the command line, or a test, decides before anything starts. */
import type { IntervalChoice } from '#analysis/statistics/proportion.ts';
import type { Stopping } from './stopping.ts';
import type { SweptSettings } from '../rundir/series-file.ts';
import type { Arm, Durability, NonEmpty, Scenario } from '#trials/scenario.ts';

/** The settings of one series. */
export interface SeriesOptions {
  readonly scenario: Scenario;
  /** The variants under comparison, the baseline first where it is among them. */
  readonly arms: NonEmpty<Arm>;
  /** How the arms were made, where they are the gaps of a sweep; null: they are the scenario's own. */
  readonly swept: SweptSettings | null;
  /** Number of trials of each arm, at least 1; the most where `stopping` may end it earlier. */
  readonly trials: number;
  /** When an arm has seen enough; null: after its trials. */
  readonly stopping: Stopping | null;
  /** Trials in flight at once, each on a thread of its own. */
  readonly parallel: number;
  readonly workers: number;
  readonly durability: Durability;
  /** Multiplies the graph's delays. */
  readonly scale: number;
  readonly sameWorker: boolean;
  readonly seed: number;
  readonly interval: IntervalChoice;
  /** Where run directories are made. */
  readonly out: string;
  /** An existing server; null starts an embedded one. */
  readonly db: string | null;
  /** Leaves the schema (external) in place at the end. */
  readonly keepDb: boolean;
  /** The port all workers share; 0 for a free one. */
  readonly port: number;
}

/** What a series tells while it runs. Nothing here may throw. */
export interface SeriesWatcher {
  readonly phase: (what: string) => void;
  readonly progress: (finished: number, of: number, aborted: number) => void;
  readonly warn: (message: string) => void;
}

/** The series was stopped by a signal. What it had until then is in the run directory. */
export class SeriesInterrupted extends Error {
  override readonly name = 'SeriesInterrupted';
  readonly folder: string;

  constructor(folder: string) {
    super(`the series was interrupted; what it saw until then is in ${folder}`);
    this.folder = folder;
  }
}
