/**
 * Runs that rows show to have begun in the middle of the graph, as they may: resumed at a checkpoint (the re-entry
 * stamp), or started by an update in a node's name. Each explains at most one mid-graph start.
 */
import { parentRow, rowAt } from '#analysis/lineage/tree.ts';
import { reentered } from '#analysis/rows/re-entry.ts';
import type { ThreadFacts } from './facts.ts';

/** The entries of a thread. */
export interface MidGraphEntries {
  readonly total: number;
  /** Ids of the rows that show them, at most ten. */
  readonly witness: readonly string[];
}

/** Counts resumed runs and updates. *Cost*: linear. */
export function midGraphEntries(facts: ThreadFacts): MidGraphEntries {
  const witness: string[] = [];
  for (const { account } of facts.namespaces) {
    for (let at = 0; at < account.tree.rows.length; at++) {
      const row = rowAt(account.tree, at);
      const parent = parentRow(account.tree, at);
      const isUpdate = row.source === 'update';
      if (isUpdate || (parent != null && row.source !== 'input' && reentered(parent, row)))
        witness.push(row.id);
    }
  }
  return { total: witness.length, witness: witness.slice(0, 10) };
}
