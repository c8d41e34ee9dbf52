/**
 * When may the next stage start? Whether two requests meet on the same checkpoint is decided within a few
 * milliseconds, so a machine that is busy with other trials would show its own queues instead of the scenario. The
 * gate therefore lets stages start one at a time, and only while this process, which competes for the same
 * processors as the workers, is itself scheduled on time. `--parallel` then bounds how many trials are in flight, and
 * not how they come out.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { monotonicMs } from '../protocol/monotonic.ts';

/** A timer this late means that somebody waits for a processor; idle machines are late by about 1 ms. */
const lateMs = 4;
const probeMs = 4;
/** So many timers in a row must be on time. */
const calmProbes = 2;
/** A machine that is never calm (other people's load) must not stop a series: after this long the stage starts. */
const patienceMs = 2_000;

/** See the file's head. One gate serves a whole series. */
export class StartGate {
  #queue: Promise<void> = Promise.resolve();

  /**
   * Starts `work` when it is its turn and the machine is calm. The next stage's turn comes when the promise that
   * `work` passes to `decided` has resolved: until then the outcome of the race is open.
   */
  async enter<T>(signal: AbortSignal, work: (decided: () => void) => Promise<T>): Promise<T> {
    const before = this.#queue;
    let leave: () => void = () => undefined;
    this.#queue = new Promise((resolve) => (leave = resolve));
    try {
      await before;
      await this.#calm(signal);
      return await work(leave);
    } finally {
      leave();
    }
  }

  async #calm(signal: AbortSignal): Promise<void> {
    const began = monotonicMs();
    for (let onTime = 0; onTime < calmProbes;) {
      const expected = monotonicMs() + probeMs;
      await delay(probeMs, undefined, { signal });
      onTime = monotonicMs() - expected > lateMs ? 0 : onTime + 1;
      if (monotonicMs() - began > patienceMs) return;
    }
  }
}
