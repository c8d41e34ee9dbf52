/** Every mitigation by name, for arms to choose from. Each is imported when a worker first needs it. */
import type { Guard, GuardContext } from './guard.ts';

type MakeGuard = (context: GuardContext) => Promise<Guard>;

const guards: ReadonlyMap<string, () => Promise<MakeGuard>> = new Map<string, () => Promise<MakeGuard>>([]);

/** The names there are, `none` for no guard. */
export const guardNames: readonly string[] = ['none', ...guards.keys()];

/** Makes a guard; null for `none`. Throws for a name that is not in {@link guardNames}. */
export async function makeGuard(name: string, context: GuardContext): Promise<Guard | null> {
  if (name === 'none') return null;
  const load = guards.get(name);
  if (load === undefined) throw new RangeError(`there is no guard ${name}`);
  return (await load())(context);
}
