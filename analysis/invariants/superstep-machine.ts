/**
 * An oracle for tests: LangGraph's supersteps over bare nodes, as langgraph 1.7.3 runs them (pregel/algo.js, channels).
 * It runs nodes and routes tokens; there is no state, no failure and no time. The easy mistake is the barrier: it
 * outlives runs, ignores a source that comes twice, and stays full when its node starts through a plain edge instead.
 */
import type { NodeName } from '#analysis/model/identifiers.ts';
import type { GraphShape } from '#analysis/model/invariant.ts';

/** A graph over nodes 0, 1, 2 …; -1 is START. */
export interface MachineGraph {
  readonly names: readonly NodeName[];
  /** Every execution of `from` starts `to`. */
  readonly fixed: readonly { readonly from: number; readonly to: number }[];
  /** Every execution of `from` chooses any of `to`. One entry per `from`. */
  readonly routed: readonly { readonly from: number; readonly to: readonly number[] }[];
  readonly barriers: readonly { readonly from: readonly number[]; readonly to: number }[];
  readonly deferred: readonly number[];
  /** Nodes that any execution may Send to, any number of times. */
  readonly sendable: readonly number[];
}

/** START, as the node that a run's first superstep executes. */
export const start = -1;

/** What one execution decides: targets among its routed ones, and Sends. */
export interface Choice {
  readonly to: readonly number[];
  readonly sends: readonly number[];
}

/** What a checkpoint holds of the graph's channels. */
export interface MachineState {
  /** Nodes with a token from a plain edge; a deferred node's waits until it is also in `ripe`. */
  readonly plain: ReadonlySet<number>;
  /** Per barrier, the sources that have come. */
  readonly arrived: readonly ReadonlySet<number>[];
  /** Deferred nodes, and barriers to them, whose token may be used now: `node 2`, `barrier 0`. */
  readonly ripe: ReadonlySet<string>;
  readonly sends: readonly number[];
  /** Channels that the last superstep changed; null when the checkpoint was just loaded, and all may start a node. */
  readonly changed: ReadonlySet<string> | null;
}

/** One task of a superstep: a node, and the channel whose token started it (null: a Send, or START). */
interface Task {
  readonly node: number;
  readonly trigger: string | null;
}

const plainChannel = (node: number): string => `node ${node}`;
const barrierChannel = (barrier: number): string => `barrier ${barrier}`;

/** The state of a thread on which nothing ran. */
export function emptyState(graph: MachineGraph): MachineState {
  return {
    plain: new Set(),
    arrived: graph.barriers.map(() => new Set()),
    ripe: new Set(),
    sends: [],
    changed: null,
  };
}

/** What a new input leaves of a state: due nodes are dropped, with the tokens that would have started them. */
export function afterInput(graph: MachineGraph, state: MachineState): MachineState {
  return apply(graph, loaded(state), tasksOf(graph, loaded(state)), []);
}

/** The state as another process loads it. */
export function loaded(state: MachineState): MachineState {
  return { ...state, changed: null };
}

/** The nodes that the next superstep runs, a node that was sent to as often as it was. */
export function due(graph: MachineGraph, state: MachineState): readonly number[] {
  return tasksOf(graph, state).map(({ node }) => node);
}

/** Runs one superstep: all due nodes, or START where `input` says that this is a run's first. */
export function superstep(
  graph: MachineGraph,
  state: MachineState,
  choose: (node: number) => Choice,
  input = false,
): MachineState {
  const tasks = input ? [{ node: start, trigger: null }] : tasksOf(graph, state);
  return apply(
    graph,
    state,
    tasks,
    tasks.map((task) => ({ node: task.node, choice: choose(task.node) })),
  );
}

function tasksOf(graph: MachineGraph, state: MachineState): readonly Task[] {
  const waits = (channel: string, node: number): boolean =>
    graph.deferred.includes(node) && !state.ripe.has(channel);
  const tasks: Task[] = state.sends.map((node) => ({ node, trigger: null }));
  for (const node of graph.names.keys()) {
    const channels = state.plain.has(node) ? [plainChannel(node)] : [];
    for (const [index, { from, to }] of graph.barriers.entries()) {
      if (to === node && state.arrived[index]?.size === new Set(from).size)
        channels.push(barrierChannel(index));
    }
    const usable = channels.filter((channel) => !waits(channel, node));
    const [trigger] = usable;
    if (
      trigger !== undefined &&
      (state.changed === null || usable.some((channel) => state.changed?.has(channel)))
    ) {
      tasks.push({ node, trigger });
    }
  }
  return tasks;
}

function apply(
  graph: MachineGraph,
  state: MachineState,
  tasks: readonly Task[],
  executions: readonly { readonly node: number; readonly choice: Choice }[],
): MachineState {
  const consumed = new Set(tasks.map(({ trigger }) => trigger));
  // A plain token lives for one superstep, but a deferred node's until it is used.
  const plain = new Set(
    [...state.plain].filter((node) => graph.deferred.includes(node) && !consumed.has(plainChannel(node))),
  );
  const arrived = state.arrived.map(
    (sources, index) => new Set(consumed.has(barrierChannel(index)) ? [] : sources),
  );
  const ripe = new Set([...state.ripe].filter((channel) => !consumed.has(channel)));
  const changed = new Set<string>();
  for (const { node, choice } of executions) {
    const targets = graph.fixed.filter(({ from }) => from === node).map(({ to }) => to);
    for (const target of [...targets, ...choice.to]) {
      plain.add(target);
      ripe.delete(plainChannel(target));
      if (!graph.deferred.includes(target)) changed.add(plainChannel(target));
    }
    for (const [index, { from, to }] of graph.barriers.entries()) {
      const sources = arrived[index];
      if (sources === undefined || !from.includes(node) || sources.has(node)) continue;
      sources.add(node);
      if (sources.size === new Set(from).size && !graph.deferred.includes(to))
        changed.add(barrierChannel(index));
    }
  }
  // Sends alone do not count as something due here: a deferred node runs beside them.
  if (changed.size === 0 && executions.length > 0) {
    for (const node of plain) ripen(ripe, changed, plainChannel(node));
    for (const [index, { from, to }] of graph.barriers.entries()) {
      if (graph.deferred.includes(to) && arrived[index]?.size === new Set(from).size) {
        ripen(ripe, changed, barrierChannel(index));
      }
    }
  }
  return { plain, arrived, ripe, sends: executions.flatMap(({ choice }) => choice.sends), changed };
}

function ripen(ripe: Set<string>, changed: Set<string>, channel: string): void {
  if (ripe.has(channel)) return;
  ripe.add(channel);
  changed.add(channel);
}

/** The graph as token flow sees it: it cannot tell fixed edges from routed ones. */
export function shapeOf(graph: MachineGraph): GraphShape {
  const name = (node: number): NodeName => graph.names[node] ?? ('' as NodeName);
  const edges = [
    ...graph.fixed,
    ...graph.routed.flatMap(({ from, to }) => to.map((target) => ({ from, to: target }))),
  ];
  return {
    nodes: graph.names,
    edges: edges.map(({ from, to }) => ({ from: from === start ? null : name(from), to: name(to) })),
    barriers: graph.barriers.map(({ from, to }) => ({ from: from.map(name), to: name(to) })),
    unbounded: graph.sendable.map(name),
    deferred: graph.deferred.map(name),
  };
}
