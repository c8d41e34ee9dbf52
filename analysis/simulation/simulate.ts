/**
 * Plays runs against one simulated thread in a given order of moves and hands back evidence as a source would, with
 * the truth beside it. The order decides everything: all of one run's moves before the next run's is a serial saver,
 * anything else is a racing one.
 */
import type { Effect, WorkerLogAccount } from '#analysis/model/effect.ts';
import type { ThreadEvidence } from '#analysis/model/evidence.ts';
import type { NodeName, ThreadId } from '#analysis/model/identifiers.ts';
import { logHealth } from '#analysis/executions/log-health.ts';
import { SimulatedSaver, type SaverTruth } from './saver.ts';
import { SimulatedRun, type RunPlan } from './simulated-run.ts';
import type { Minting } from './superstep.ts';

/** What is played. */
export interface Play {
  readonly thread: ThreadId;
  readonly nodes: readonly NodeName[];
  readonly runs: readonly RunPlan[];
  /** Indices into `runs`, one per move; what is left over when it ends is played run by run. */
  readonly schedule: readonly number[];
  readonly minting: Minting;
}

/** What came of it. */
export interface Played {
  readonly evidence: ThreadEvidence;
  readonly saver: SaverTruth;
  /** Every effect that happened, whatever a log made of it. */
  readonly effects: readonly Effect[];
  readonly accounts: readonly WorkerLogAccount[];
}

/** Plays to the end. Pure: the same play gives the same evidence. */
export function simulate(play: Play): Played {
  const saver = new SimulatedSaver(play.thread);
  const effects: Effect[] = [];
  const sequences = new Map<string, number>();
  let nowMs = 0;
  const runs = play.runs.map(
    (plan) =>
      new SimulatedRun(plan, {
        saver,
        nodes: play.nodes,
        minting: play.minting,
        tick: () => (nowMs += 1),
        emit: (effect) => {
          const worker = effect.worker ?? '';
          const sequence = (sequences.get(worker) ?? 0) + 1;
          sequences.set(worker, sequence);
          effects.push({ ...effect, sequence });
        },
      }),
  );
  for (const index of play.schedule) runs[index % runs.length]?.move();
  for (const run of runs) while (run.move());
  const workers = [...new Set(play.runs.map((plan) => plan.worker))];
  const accounts = workers.map((worker) => ({ worker, finalSequence: sequences.get(worker) ?? 0 }));
  const evidence: ThreadEvidence = {
    rows: saver.rows(),
    log: { effects, table: null, health: logHealth(effects, accounts) },
    runs: runs.map((run) => run.record()),
  };
  return { evidence, saver: saver.truth(), effects, accounts };
}

/** The schedule of a serial saver: nothing interleaved. */
export const serial: readonly number[] = [];
