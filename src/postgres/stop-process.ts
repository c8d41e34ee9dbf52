/**
 * How is a process ended for certain? The primary and the watchdog both use this, so that a server stops the same way
 * whoever stops it. Easy to get wrong: the children of a postmaster lead sessions of their own, so neither its pid nor
 * its process group reaches them; it has to end them itself, and only if it cannot are they looked for and killed.
 */
import { holdsWithin, isRunning, processesIn, sendSignal, type ProcessIdentity } from './process-identity.ts';

/** How long each step of ending a server may take. */
export interface StopPatience {
  /** After SIGINT: sessions are ended, transactions rolled back, a checkpoint is written. */
  readonly fastMs: number;
  /** After SIGQUIT: children are told to quit at once, without a checkpoint. */
  readonly immediateMs: number;
  /** After SIGKILL: the kernel removes the processes. */
  readonly killMs: number;
}

/** Postgres itself waits 5 s for children after SIGQUIT before it kills them (SIGKILL_CHILDREN_AFTER_SECS). */
const defaultPatience: StopPatience = { fastMs: 5_000, immediateMs: 6_000, killMs: 5_000 };

/**
 * Ends a Postgres server and all its processes: fast shutdown, then immediate shutdown, then SIGKILL.
 * Returns false if something still runs at the end (a process in uninterruptible sleep).
 * Source: PostgreSQL documentation, "Shutting Down the Server".
 */
export async function stopPostgres(
  postmaster: ProcessIdentity,
  dataFolder: string,
  patience: StopPatience = defaultPatience,
): Promise<boolean> {
  const steps = [
    ['SIGINT', patience.fastMs],
    ['SIGQUIT', patience.immediateMs],
  ] as const;
  for (const [signal, waitMs] of steps) {
    if (!sendSignal(postmaster, signal, 'process')) break;
    if (await holdsWithin(waitMs, () => !isRunning(postmaster))) break;
  }
  sendSignal(postmaster, 'SIGKILL', 'process');
  return killAllIn(dataFolder, patience.killMs);
}

/** Kills a process (and its group, if it leads one) and waits until it is gone; false if it still runs after `waitMs`. */
export async function killProcess(
  process: ProcessIdentity,
  whole: 'process' | 'group',
  waitMs: number,
): Promise<boolean> {
  sendSignal(process, 'SIGKILL', whole);
  return holdsWithin(waitMs, () => !isRunning(process));
}

/** Kills whatever works in `folder` until nothing does; false if something still runs after `waitMs`. */
export async function killAllIn(folder: string, waitMs: number): Promise<boolean> {
  return holdsWithin(waitMs, () => {
    const left = processesIn(folder);
    for (const process of left) sendSignal(process, 'SIGKILL', 'process');
    return left.length === 0;
  });
}
