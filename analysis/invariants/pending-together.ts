/**
 * Which nodes can one checkpoint have next at the same time? A resumed run begins at all of them at once, so a start
 * at `a` and a start at `b` can be the work of one run where they can be due together, and of two where they cannot.
 */
import { keepsTokens, type TokenFlow } from './token-flow.ts';

/** Beyond this many supersteps without a repetition every set is allowed: a bound that is too low, never too high. */
const longestPeriod = 1000;

/**
 * The maximal sets of nodes that can be due in one superstep, each ascending by position; none contains another.
 *
 * Along plain edges the nodes that can be due in superstep k + 1 are the targets of those that can in superstep k, and
 * any choice of them can be due together since every node chooses its targets for itself. The sets repeat after a
 * while. Nodes that keep tokens or that anything can start may be due at any time, as may nodes that no run reaches:
 * whatever started them is not in the shape.
 */
export function pendingTogether(flow: TokenFlow): readonly (readonly number[])[] {
  const positions = [...flow.keys()];
  const anyTime = positions.filter((index) => {
    const node = flow[index];
    return node !== undefined && (node.unbounded || !node.reachable || keepsTokens(node));
  });
  const seen = new Map<string, ReadonlySet<number>>();
  let due = new Set([...positions.filter((index) => flow[index]?.fromStart === true), ...anyTime]);
  while (due.size > 0) {
    const key = [...due].sort((a, b) => a - b).join();
    if (seen.has(key)) break;
    if (seen.size === longestPeriod) return [positions];
    seen.set(key, due);
    const current = due;
    const next = positions.filter((index) => flow[index]?.sources.some((source) => current.has(source)));
    due = new Set([...next, ...anyTime]);
  }
  return maximal([...seen.values()]).map((set) => [...set].sort((a, b) => a - b));
}

function maximal(sets: readonly ReadonlySet<number>[]): readonly ReadonlySet<number>[] {
  const contains = (outer: ReadonlySet<number>, inner: ReadonlySet<number>): boolean =>
    [...inner].every((member) => outer.has(member));
  return sets.filter(
    (set) => !sets.some((other) => other !== set && other.size > set.size && contains(other, set)),
  );
}
