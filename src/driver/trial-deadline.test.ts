import { setTimeout as delay } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import { trialDeadline } from './trial-deadline.ts';

/** Collects garbage, as a busy series does. */
function collectGarbage(): void {
  setFlagsFromString('--expose-gc');
  (runInNewContext('gc') as () => void)();
}

describe('the deadline of a trial', () => {
  it('fires although nobody but its listener knows of it when garbage is collected', async () => {
    const fired = new Promise<void>((resolve) => {
      trialDeadline(new AbortController().signal, 60).signal.addEventListener('abort', () => {
        resolve();
      });
    });
    await delay(0);
    collectGarbage();
    await fired;
  });

  it('fires when the series is stopped, and tells the two apart', () => {
    const stop = new AbortController();
    const deadline = trialDeadline(stop.signal, 60_000);
    expect([deadline.signal.aborted, deadline.hasPassed]).toEqual([false, false]);
    stop.abort();
    expect([deadline.signal.aborted, deadline.hasPassed]).toEqual([true, false]);
    deadline.clear();
    expect(trialDeadline(stop.signal, 1).signal.aborted).toBe(true);
  });

  it('does not fire when it was cleared', async () => {
    const stop = new AbortController();
    const deadline = trialDeadline(stop.signal, 5);
    deadline.clear();
    stop.abort();
    await delay(20);
    expect(deadline.signal.aborted).toBe(false);
  });
});
