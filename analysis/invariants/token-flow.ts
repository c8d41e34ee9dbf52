/**
 * A graph's shape as tokens flow through it: which executions can start which. LangGraph starts a node once per
 * superstep, whatever number of sources triggered it, so tokens bound a node's count from above and never fix it.
 */
import { invariant } from '#analysis/model/bug.ts';
import type { NodeName } from '#analysis/model/identifiers.ts';
import type { GraphShape } from '#analysis/model/invariant.ts';

/** One node, its neighbours given by their position in {@link TokenFlow}. */
export interface FlowNode {
  readonly name: NodeName;
  /** A run that begins with new input can start it. */
  readonly fromStart: boolean;
  /** Nothing bounds its count (a Send or an undeclared goto reaches it). */
  readonly unbounded: boolean;
  /** It runs once nothing else is due. */
  readonly deferred: boolean;
  /** Nodes with a plain edge to it, each once, ascending: two edges of one pair write one channel. */
  readonly sources: readonly number[];
  /** One set of sources per barrier that leads to it, each ascending. */
  readonly barriers: readonly (readonly number[])[];
  /** Some run that begins with new input can start it. */
  readonly reachable: boolean;
}

/** The nodes in the order the shape lists them. */
export type TokenFlow = readonly FlowNode[];

/**
 * Reads a shape. Cost: linear in the shape, times the depth of its barriers.
 * Fails: a bug when the shape names a node twice, or one it does not list.
 */
export function tokenFlow(shape: GraphShape): TokenFlow {
  const position = new Map(shape.nodes.map((name, index) => [name, index]));
  invariant(position.size === shape.nodes.length, 'a graph shape lists each node once');
  const at = (name: NodeName): number => {
    const index = position.get(name);
    invariant(
      index !== undefined,
      `a graph shape lists every node it speaks of, unlike ${JSON.stringify(name)}`,
    );
    return index;
  };
  const distinct = (names: Iterable<NodeName>): number[] =>
    [...new Set([...names].map(at))].sort((a, b) => a - b);

  const fromStart = new Set<number>();
  const sources = shape.nodes.map(() => new Set<NodeName>());
  for (const { from, to } of shape.edges) {
    if (from === null) fromStart.add(at(to));
    else sources[at(to)]?.add(from);
  }
  const barriers = shape.nodes.map((): number[][] => []);
  for (const { from, to } of shape.barriers) {
    invariant(from.length > 0, 'a barrier waits for at least one node');
    barriers[at(to)]?.push(distinct(from));
  }
  const unbounded = new Set(shape.unbounded.map(at));
  const deferred = new Set((shape.deferred ?? []).map(at));
  const nodes = shape.nodes.map((name, index) => ({
    name,
    fromStart: fromStart.has(index),
    unbounded: unbounded.has(index),
    deferred: deferred.has(index),
    sources: distinct(sources[index] ?? []),
    barriers: barriers[index] ?? [],
  }));
  const reachable = nodesReached(
    nodes,
    (index) => fromStart.has(index) || unbounded.has(index),
    () => true,
  );
  return nodes.map((node, index) => ({ ...node, reachable: reachable.has(index) }));
}

/**
 * The same flow on a thread that forks: a checkpoint holds half-filled barriers and waiting deferred nodes, and every
 * branch that leaves it inherits them, so one token may start several executions and bounds nothing.
 */
export function flowAcrossForks(flow: TokenFlow): TokenFlow {
  return flow.map((node) => ({
    ...node,
    unbounded: node.unbounded || (node.reachable && keepsTokens(node)),
    sources: keepsTokens(node) ? [] : node.sources,
    barriers: [],
  }));
}

/** Whether a token for this node outlives the run that made it; a plain edge's token is dropped by the next input. */
export function keepsTokens(node: FlowNode): boolean {
  return node.deferred || node.barriers.length > 0;
}

/**
 * Which nodes can run, given where runs can begin and which nodes may run at all. A node starts after any one of its
 * sources, or after all sources of one of its barriers; a cycle that nothing enters never starts.
 */
export function nodesReached(
  nodes: readonly Omit<FlowNode, 'reachable'>[],
  begins: (index: number) => boolean,
  mayRun: (index: number) => boolean,
): ReadonlySet<number> {
  const reached = new Set<number>();
  for (let grew = true; grew;) {
    grew = false;
    for (const [index, { sources, barriers }] of nodes.entries()) {
      if (reached.has(index) || !mayRun(index)) continue;
      const starts =
        begins(index) ||
        sources.some((source) => reached.has(source)) ||
        barriers.some((from) => from.every((source) => reached.has(source)));
      if (starts) {
        reached.add(index);
        grew = true;
      }
    }
  }
  return reached;
}
