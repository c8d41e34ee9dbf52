/**
 * Count rules: sums of node counts that must hold. A rule derived from a graph and a rule a user wrote are the same
 * data, so both are checked by one function.
 */
import type { NodeName } from './identifiers.ts';

/** `sum(left) >= sum(right) + constant`; `plan >= charge` is left [plan], right [charge], constant 0. */
export interface CountRule {
  readonly left: readonly NodeName[];
  readonly right: readonly NodeName[];
  readonly constant: number;
  /** As the user or the report writes it: `plan >= charge`, `n(a) <= 3`. */
  readonly text: string;
  /** False when a fork alone can break it (it rests on a barrier or a deferred node); absent: no fork can, or a user asks. */
  readonly holdsAcrossForks?: boolean;
}

/** A graph's shape as token flow sees it; taken from a compiled graph or written by hand. */
export interface GraphShape {
  /** Real nodes; START and END are not among them. */
  readonly nodes: readonly NodeName[];
  /** Each execution of `from` (null: START) can start at most one execution of `to`. */
  readonly edges: readonly { readonly from: NodeName | null; readonly to: NodeName }[];
  /** `to` starts once all of `from` have run. */
  readonly barriers: readonly { readonly from: readonly NodeName[]; readonly to: NodeName }[];
  /** Nodes that a Send, or a goto the graph does not declare, can reach: no rule bounds them. */
  readonly unbounded: readonly NodeName[];
  /** Nodes that wait until nothing else is due (`defer: true`); absent: none. */
  readonly deferred?: readonly NodeName[];
}
