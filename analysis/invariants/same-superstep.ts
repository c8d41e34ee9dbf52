/**
 * Which nodes run at most once for each time another runs because everything the other starts comes back together?
 * Tokens that arrive in one superstep start a node once, so `p -> a -> x, p -> b -> x` runs x once per p, although
 * two tokens flow into it. It takes equal lengths: a longer second way makes x run twice.
 */
import { keepsTokens, type TokenFlow } from './token-flow.ts';

/** `target` runs at most as often as `source`, in every run that begins with new input. */
export interface SuperstepBound {
  readonly source: number;
  readonly target: number;
  /** Every node between them, the target included: whatever else starts the target began at one of these. */
  readonly between: readonly number[];
  /** Whether tokens do merge on the way; where none do, counting tokens shows the same. */
  readonly merges: boolean;
}

/**
 * All bounds of a flow. A pair (A, B) is one iff every way back from B, over plain edges alone, ends in A after the
 * same number of supersteps: then an execution of B in superstep t needs one of A in superstep t - length of the same
 * run, and B runs at most once in a superstep. Nodes that keep tokens or can be started by a Send break that, and so
 * does START. Without such nodes the condition is also necessary: a way that avoids A, or two of different lengths,
 * is a run in which B outnumbers A.
 *
 * Cost: nodes squared times edges.
 */
export function superstepBounds(flow: TokenFlow): readonly SuperstepBound[] {
  const bounds: SuperstepBound[] = [];
  for (const target of flow.keys()) {
    for (const source of flow.keys()) {
      const bound = source === target ? null : boundBetween(flow, source, target);
      if (bound !== null) bounds.push(bound);
    }
  }
  return bounds;
}

function boundBetween(flow: TokenFlow, source: number, target: number): SuperstepBound | null {
  const distance = new Map([[target, 0]]);
  const between: number[] = [];
  let merges = false;
  // A Map iterates over entries added during the iteration: this is the queue of a breadth-first search.
  for (const [index, steps] of distance) {
    if (index === source) continue;
    const node = flow[index];
    if (node === undefined || !node.reachable || node.fromStart || node.unbounded || keepsTokens(node))
      return null;
    between.push(index);
    const starters = node.sources.filter((starter) => flow[starter]?.reachable === true);
    if (starters.length > 1) merges = true;
    for (const starter of starters) {
      const known = distance.get(starter);
      if (known !== undefined && known !== steps + 1) return null;
      distance.set(starter, steps + 1);
    }
  }
  return distance.has(source) ? { source, target, between, merges } : null;
}
