/** What must be undone at the end of a series, last acquired first, whatever failed before. */

/** A stack of releases. Each runs once; all run even if some fail, and the first failure is thrown at the end. */
export class Releasers {
  readonly #stack: { readonly what: string; readonly release: () => Promise<void> | void }[] = [];

  /** Undo `what` at the end, or earlier through the returned function. */
  add(what: string, release: () => Promise<void> | void): () => Promise<void> {
    const entry = { what, release };
    this.#stack.push(entry);
    return async () => {
      const at = this.#stack.indexOf(entry);
      if (at === -1) return;
      this.#stack.splice(at, 1);
      await release();
    };
  }

  /** Releases everything. Throws the first failure after all have run. */
  async releaseAll(): Promise<void> {
    const failures: unknown[] = [];
    for (let entry = this.#stack.pop(); entry !== undefined; entry = this.#stack.pop()) {
      try {
        await entry.release();
      } catch (error) {
        failures.push(error);
      }
    }
    if (failures.length > 0) throw failures[0];
  }
}
