/**
 * A guard that many services have: a set of busy threads in the memory of the process. It is exact within one process,
 * and blind to every other.
 */
import type { Guard } from './guard.ts';

/** Makes the guard. */
export function inMemoryBusy(): Guard {
  const busy = new Set<string>();
  return {
    holdsUntil: 'stored',
    mayWait: false,
    enter: ({ thread }) => {
      if (busy.has(thread))
        return Promise.resolve({ kind: 'refused', because: 'another run of this process has the thread' });
      busy.add(thread);
      return Promise.resolve({
        kind: 'admitted',
        leave: () => {
          busy.delete(thread);
          return Promise.resolve();
        },
      });
    },
    close: () => Promise.resolve(),
  };
}
