/**
 * What the edge from a parent to a child row is. Only rows with source `loop` mean execution; an input, update or
 * fork row advances `versions_seen` for nodes that never ran. With exit durability a whole run is one row, also
 * directly under NULL: such an edge is compacted, and what it shows is a lower bound.
 */
import type { CheckpointRow } from '#analysis/model/checkpoint.ts';

/**
 * `superstep`: one step's tasks, exact. `compacted`: several steps in one row. `bookkeeping`: an input, update, copy
 * or replay row. `root`: no parent, no executions. `dangling`: the parent's row is absent. `anomalous`: a loop row
 * whose step does not follow its parent's.
 */
export type EdgeKind = 'superstep' | 'compacted' | 'bookkeeping' | 'root' | 'dangling' | 'anomalous';

/** Classifies the edge above `child`; `parent` is null for a root, undefined when its row is absent. */
export function edgeKind(parent: CheckpointRow | null | undefined, child: CheckpointRow): EdgeKind {
  if (parent === undefined) return 'dangling';
  if (child.source !== 'loop') return parent === null ? 'root' : 'bookkeeping';
  if (child.step === null) return 'anomalous';
  // A delta stub of exit durability (step -2) runs nothing: it only carries writes.
  if (parent === null) return child.step <= -1 ? 'root' : 'compacted';
  if (parent.step === null) return 'anomalous';
  const steps = child.step - parent.step;
  if (steps === 1) return 'superstep';
  return steps > 1 ? 'compacted' : 'anomalous';
}
