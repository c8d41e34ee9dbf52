/**
 * A filter for one thread that remembers which others there were, so that a mistyped name can be answered with near
 * ones although nothing but names is kept of them. Easy to get wrong: a source that selects by name, as a database
 * does, never asks for the others, and then nothing is known of them, which is not the same as no others.
 */

/** The wanted names, and every name that was ever looked up among them. */
export class AskedNames extends Set<string> {
  readonly #asked = new Set<string>();

  override has(name: string): boolean {
    this.#asked.add(name);
    return super.has(name);
  }

  /** Names looked up so far, in the order of their first time. */
  get asked(): ReadonlySet<string> {
    return this.#asked;
  }
}
