/** Whether a thread may have branches: a quick look that errs to the safe side, without building its tree. */
import type { CheckpointRow } from '#analysis/model/checkpoint.ts';

/** False only when every namespace is one chain. *Cost*: linear in the rows. */
export function hasBranches(
  checkpoints: readonly Pick<CheckpointRow, 'namespace' | 'parent' | 'id'>[],
): boolean {
  const parents = new Map<string, Set<string | null>>();
  for (const { namespace, parent } of checkpoints) {
    let seen = parents.get(namespace);
    if (seen === undefined) parents.set(namespace, (seen = new Set()));
    if (seen.has(parent)) return true;
    seen.add(parent);
  }
  const ids = new Set(checkpoints.map(({ namespace, id }) => JSON.stringify([namespace, id])));
  // A parent that is not there may have had other children.
  return checkpoints.some(
    ({ namespace, parent }) => parent !== null && !ids.has(JSON.stringify([namespace, parent])),
  );
}
