/** How a service is reached and watched. */
import type { IntervalChoice } from '#analysis/statistics/proportion.ts';
import type { Scenario } from '#trials/scenario.ts';

/** The settings of a series against a service. */
export interface TargetOptions {
  readonly scenario: Scenario;
  readonly trials: number;
  readonly parallel: number;
  /** Multiplies the scenario's offsets; the service's nodes take what they take. */
  readonly scale: number;
  readonly seed: number;
  readonly interval: IntervalChoice;
  readonly out: string;
  /** Templates; racing requests go to neighbouring ones. */
  readonly urls: readonly string[];
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
  /** The database that the service's saver writes to. It is only read. */
  readonly db: string;
  readonly schema: string;
  /** The effect log that the service's nodes append to, one JSON object a line as examples/node-server writes. */
  readonly effects: string;
  /** So long must rows and log stand still before a run counts as over. */
  readonly quietMs: number;
  /** A trial that is not over by then is aborted. */
  readonly deadlineMs: number;
}
