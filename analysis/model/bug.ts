/** Bugs, and exhaustive unions. A broken invariant is a bug of forkscope, never of the data it reads. */

/** Thrown when something this program relies on does not hold. */
export class InvariantBroken extends Error {
  override readonly name = 'InvariantBroken';
}

/** Throws {@link InvariantBroken} unless `condition` holds; `whyItCannotHappen` states the belief that was wrong. */
export function invariant(condition: boolean, whyItCannotHappen: string): asserts condition {
  if (!condition) throw new InvariantBroken(whyItCannotHappen);
}

/** Marks the end of an exhaustive switch. */
export function assertNever(value: never): never {
  throw new InvariantBroken(`a case is missing for ${JSON.stringify(value)}`);
}
