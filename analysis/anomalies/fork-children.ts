/**
 * How each child of a fork came to be: by an input, by the run that wrote the parent, by a resumed run, or by an
 * update, copy or replay that explains itself. Under exit durability a whole run is one loop row; whether it consumed
 * new input shows in what `__start__` has seen.
 * Source: langgraph-format §10.1 and §10.2.
 */
import type { CheckpointRow } from '#analysis/model/checkpoint.ts';
import type { NamespaceAccount } from '#analysis/executions/account.ts';
import type { SiblingSet } from '#analysis/lineage/siblings.ts';
import { rowAt } from '#analysis/lineage/tree.ts';
import { reentered } from '#analysis/rows/re-entry.ts';
import { consumedInput } from '#analysis/rows/versions-seen.ts';

/** `late`: written by the process that wrote the parent. `resumed`: by a run that was resumed at the parent. */
export type Origin = 'input' | 'late' | 'resumed' | 'explained';

/** One child of a fork. */
export interface ForkChild {
  readonly index: number;
  readonly row: CheckpointRow;
  readonly origin: Origin;
}

/** The children of a fork with their origins, in the order of their ids. */
export function forkChildren(account: NamespaceAccount, set: SiblingSet): ForkChild[] {
  const parent = set.parentIndex === null ? null : rowAt(account.tree, set.parentIndex);
  return set.children.map((index) => {
    const row = rowAt(account.tree, index);
    return { index, row, origin: originOf(parent, set.parent === null, row) };
  });
}

function originOf(parent: CheckpointRow | null, isRoot: boolean, row: CheckpointRow): Origin {
  switch (row.source) {
    case 'input':
      return 'input';
    case 'update':
    case 'fork':
    case 'other':
      return 'explained';
    case 'loop':
      if (isRoot) return row.step !== null && row.step <= -1 ? 'explained' : 'input';
      if (parent === null) return 'late';
      if (reentered(parent, row)) return 'resumed';
      return consumedInput(parent, row) && row.step !== null && row.step - (parent.step ?? row.step) > 1
        ? 'input'
        : 'late';
  }
}
