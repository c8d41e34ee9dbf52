/** The guards of one worker: each is made when its first run comes, and serves all runs of the worker from then on. */
import type { Guard, GuardContext } from './guards/guard.ts';
import { makeGuard } from './guards/registry.ts';

/** See the file's head. */
export class GuardShelf {
  readonly #context: GuardContext;
  readonly #guards = new Map<string, Promise<Guard | null>>();

  constructor(context: GuardContext) {
    this.#context = context;
  }

  /** The guard of that name; null for `none`. */
  get(name: string): Promise<Guard | null> {
    let guard = this.#guards.get(name);
    if (guard === undefined) this.#guards.set(name, (guard = makeGuard(name, this.#context)));
    return guard;
  }
}
