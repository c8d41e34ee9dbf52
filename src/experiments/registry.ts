/** Every experiment by name; they stand beside the scenarios in `forkscope race` and `forkscope trials`. */
import { reconcileClaim } from '#trials/experiments/reconcile.ts';
import type { Experiment } from './experiment.ts';

/** In the order lists show them. */
export const experiments: readonly Experiment[] = [
  {
    name: 'reconcile',
    summary:
      'sweeps that tell abandoned threads from live and paused ones, against a population whose truth is known',
    claim: reconcileClaim,
    load: async () => (await import('./reconcile/run-reconcile.ts')).runReconcile,
  },
];

/** The experiment of that name; null when there is none. */
export function experimentNamed(name: string): Experiment | null {
  return experiments.find((experiment) => experiment.name === name) ?? null;
}
