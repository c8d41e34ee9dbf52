/** Every mitigation by name, for arms to choose from. Each is imported when a worker first needs it. */
import type { AdvisoryLock } from './advisory-lock.ts';
import type { Guard, GuardContext } from './guard.ts';

type MakeGuard = (context: GuardContext) => Promise<Guard>;

/** Shorter than the graph's longest node at a tenth of its length. */
const shortIdleMs = 100;

/** Longer than a run at a tenth of its length, and short enough to wait for when nothing will come. */
const briefMs = 2000;

const guards: ReadonlyMap<string, MakeGuard> = new Map<string, MakeGuard>([
  ['lock-wait', lockWith({})],
  ['lock-reject', lockWith({ when: 'reject' })],
  ['early-unlock', lockWith({ holdsUntil: 'answered' })],
  ['session-lock-leak', lockWith({ when: 'reject', scope: 'pooled-session' })],
  ['lock-wait-briefly', lockWith({ timeoutMs: briefMs })],
  ['saver-pool-lock', lockWith({ timeoutMs: briefMs, pool: 'saver' })],
  ['lock-idle-timeout', lockWith({ idleTimeout: { ms: shortIdleMs, isExempt: false } })],
  ['lock-wait-idle-server', lockWith({ idleTimeout: { ms: shortIdleMs, isExempt: true } })],
  ['lock-hash32', lockWith({ when: 'reject', key: 'hashtext' })],
  ['lease', async (context) => (await import('./lease.ts')).lease({ isFenced: true }, context)],
  ['lease-unfenced', async (context) => (await import('./lease.ts')).lease({ isFenced: false }, context)],
  ['naive-reaper', async (context) => (await import('./naive-reaper.ts')).naiveReaper(context)],
  ['in-memory-busy', async () => (await import('./in-memory-busy.ts')).inMemoryBusy()],
]);

/** The names there are, `none` for no guard. */
export const guardNames: readonly string[] = ['none', ...guards.keys()];

/** Makes a guard; null for `none`. Throws for a name that is not in {@link guardNames}. */
export async function makeGuard(name: string, context: GuardContext): Promise<Guard | null> {
  if (name === 'none') return null;
  const make = guards.get(name);
  if (make === undefined) throw new RangeError(`there is no guard ${name}`);
  return make(context);
}

function lockWith(differing: Partial<AdvisoryLock>): MakeGuard {
  return async (context) => {
    const { advisoryLock, soundLock } = await import('./advisory-lock.ts');
    return advisoryLock({ ...soundLock, ...differing }, context);
  };
}
