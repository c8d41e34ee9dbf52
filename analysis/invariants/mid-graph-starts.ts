/**
 * How many runs must have begun in the middle of the graph to explain these counts, and where? Counts prove a number
 * of such runs at least: a run that began at a node and hides among others leaves no trace in them.
 */
import type { NodeName } from '#analysis/model/identifiers.ts';
import type { GraphShape } from '#analysis/model/invariant.ts';
import type { NodeCounts } from '#analysis/model/report.ts';
import { loadSolver } from './linear-programme.ts';
import { pendingTogether } from './pending-together.ts';
import { superstepBounds, type SuperstepBound } from './same-superstep.ts';
import { fewestStarts, type Demand } from './starts-programme.ts';
import { flowAcrossForks, nodesReached, tokenFlow, type FlowNode, type TokenFlow } from './token-flow.ts';

/** The least that explains a thread's counts. */
export interface MidGraphStarts {
  /** Runs that began in the middle, at least; 0 when runs that began with new input can explain the counts. */
  readonly runs: number;
  /**
   * Nodes where such runs began in some explanation with the fewest runs and, among those, the fewest starts; in the
   * shape's order. One explanation need not use them all. Empty when `runs` is 0.
   */
  readonly couldBeginAt: readonly NodeName[];
}

/** What is known of the thread besides its counts. */
export interface ThreadTrait {
  /** Whether it forks: then several branches may have used the same token of a barrier, which bounds nothing. */
  readonly forked: boolean;
}

/** Explains exact counts; a node they lack ran 0 times, nodes that the shape does not list are ignored. */
export type ExplainCounts = (counts: NodeCounts, thread: ThreadTrait) => Promise<MidGraphStarts>;

/**
 * Prepares the explanation of counts on one graph, so that many threads share what depends on its shape alone.
 *
 * A run that begins in the middle begins at nodes that one checkpoint can have next at the same time. The starts must
 * cover the executions that the flow of tokens leaves unexplained, and every cycle that ran must have been entered. The
 * number of runs is exact for that flow; LangGraph merges the tokens of one superstep, so the runs that truly began in
 * the middle can be more, never fewer. A command that jumps to several nodes at once begins outside of these sets.
 *
 * Cost: linear in the graph for counts that need no such run, otherwise a few small integer programmes.
 */
export function startsExplainer(shape: GraphShape): ExplainCounts {
  const flow = tokenFlow(shape);
  const unforked = groundsOf(flow);
  const forked = groundsOf(flowAcrossForks(flow));
  return async (counts, thread) => {
    const grounds = thread.forked ? forked : unforked;
    const observed = grounds.flow.map(({ name }) => counts.get(name) ?? 0);
    const countAt = (index: number): number => observed[index] ?? 0;
    const demands = unexplained(grounds, countAt);
    const withoutOrigin = (started: ReadonlySet<number>): readonly number[] => {
      const begins = (index: number): boolean => started.has(index) || beginsWithInput(grounds.flow[index]);
      const reached = nodesReached(grounds.flow, begins, (index) => countAt(index) > 0);
      return [...grounds.flow.keys()].filter((index) => countAt(index) > 0 && !reached.has(index));
    };
    if (demands.length === 0 && withoutOrigin(new Set()).length === 0) return { runs: 0, couldBeginAt: [] };
    const needs = { together: grounds.together, atMost: observed, demands, withoutOrigin };
    const { runs, nodes } = fewestStarts(needs, await loadSolver());
    return { runs, couldBeginAt: nodes.flatMap((node) => grounds.flow[node]?.name ?? []) };
  };
}

interface Grounds {
  readonly flow: TokenFlow;
  /** Those that tokens alone do not show. */
  readonly bounds: readonly SuperstepBound[];
  readonly together: readonly (readonly number[])[];
}

/** Whether runs that begin with new input, or Sends, can start the node. */
function beginsWithInput(node: FlowNode | undefined): boolean {
  return node?.fromStart === true || node?.unbounded === true;
}

function groundsOf(flow: TokenFlow): Grounds {
  const bounds = superstepBounds(flow).filter(({ merges }) => merges);
  return { flow, bounds, together: pendingTogether(flow) };
}

/** Executions beyond the tokens for a node, and beyond those that come back together in one superstep. */
function unexplained({ flow, bounds }: Grounds, countAt: (index: number) => number): readonly Demand[] {
  const beyondTokens = flow.flatMap(({ fromStart, unbounded, sources, barriers }, index): Demand[] => {
    if (fromStart || unbounded) return [];
    const tokens = [...sources.map(countAt), ...barriers.map((from) => Math.min(...from.map(countAt)))];
    return [{ among: [index], starts: countAt(index) - tokens.reduce((sum, count) => sum + count, 0) }];
  });
  const beyondSupersteps = bounds.map(({ source, target, between }): Demand => {
    return { among: between, starts: countAt(target) - countAt(source) };
  });
  return [...beyondTokens, ...beyondSupersteps].filter(({ starts }) => starts > 0);
}
