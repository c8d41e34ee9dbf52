/**
 * Lanes for trials that exhaust something of which a worker has one, such as its small pool: two of them on one worker
 * would be each other's fault, and a deadlock between trials that no timeout of either ends.
 */
import pLimit, { type LimitFunction } from 'p-limit';
import { getOrMake } from '#analysis/model/maps.ts';

/** One lane a slot. */
export class WorkerLanes {
  readonly #lanes = new Map<number, LimitFunction>();

  /** Runs `task` when the tasks before it in the lane of that slot are over. */
  run<T>(slot: number, task: () => Promise<T>): Promise<T> {
    return getOrMake(this.#lanes, slot, () => pLimit(1))(task);
  }
}
