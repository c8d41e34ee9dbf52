/** Every experiment by name; they stand beside the scenarios in `forkscope race` and `forkscope trials`. */
import type { Experiment } from './experiment.ts';

/** In the order lists show them. */
export const experiments: readonly Experiment[] = [];

/** The experiment of that name; null when there is none. */
export function experimentNamed(name: string): Experiment | null {
  return experiments.find((experiment) => experiment.name === name) ?? null;
}
