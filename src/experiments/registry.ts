/** Every experiment by name; they stand beside the scenarios in `forkscope race` and `forkscope trials`. */
import { reconcileClaim } from '#trials/experiments/reconcile.ts';
import { faultSummaries, vanishClaim, vanishFaults } from '#trials/experiments/vanish.ts';
import type { Experiment } from './experiment.ts';

/** In the order lists show them. */
export const experiments: readonly Experiment[] = [
  {
    name: 'vanish',
    summary: 'what is left of runs that were accepted when their worker ends, and what a reaper makes of it',
    claim: vanishClaim,
    arms: vanishFaults.map((name) => ({ name, summary: faultSummaries[name] })),
    load: async () => (await import('./vanish/run-vanish.ts')).runVanish,
  },
  {
    name: 'reconcile',
    summary:
      'sweeps that tell abandoned threads from live and paused ones, against a population whose truth is known',
    claim: reconcileClaim,
    arms: [],
    load: async () => (await import('./reconcile/run-reconcile.ts')).runReconcile,
  },
];

/** The experiment of that name; null when there is none. */
export function experimentNamed(name: string): Experiment | null {
  return experiments.find((experiment) => experiment.name === name) ?? null;
}
