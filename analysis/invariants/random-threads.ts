/**
 * Random threads of a graph for property tests: runs that begin with new input or resume, are cut anywhere, and fork
 * from any checkpoint. The choices come from the test, so that a failure can be replayed.
 */
import type { NodeName } from '#analysis/model/identifiers.ts';
import {
  afterInput,
  due,
  emptyState,
  loaded,
  superstep,
  type Choice,
  type MachineGraph,
  type MachineState,
} from './superstep-machine.ts';

/** What happened on a thread. */
export interface RandomThread {
  /** Executions whose effects an observer outside would have counted. */
  readonly counts: ReadonlyMap<NodeName, number>;
  /** Whether a run began on a checkpoint that already had a child. */
  readonly forked: boolean;
  /** Runs that resumed and executed a node at least. */
  readonly resumed: number;
}

const mostTasks = 40;

/** One thread of up to 6 runs, decided by a stream of natural numbers. */
export function randomThread(
  graph: MachineGraph,
  may: { readonly forks: boolean; readonly resumes: boolean },
  draws: Iterator<number, unknown>,
): RandomThread {
  const below = (limit: number): number => Number(draws.next().value) % limit;
  const some = <Item>(items: readonly Item[]): Item[] => items.filter(() => below(2) === 0);
  const choose = (node: number): Choice => ({
    to: some(graph.routed.find(({ from }) => from === node)?.to ?? []),
    sends: below(4) === 0 ? some([...graph.sendable, ...graph.sendable]) : [],
  });
  const counts = new Map<NodeName, number>();
  const count = (nodes: readonly number[]): void => {
    for (const node of nodes) {
      const name = graph.names[node];
      if (name !== undefined) counts.set(name, (counts.get(name) ?? 0) + 1);
    }
  };
  let state: MachineState = emptyState(graph);
  const checkpoints = [state];
  let forked = false;
  let resumed = 0;
  const commit = (next: MachineState): void => {
    state = next;
    checkpoints.push(next);
  };
  const runs = 1 + below(6);
  for (let run = 0; run < runs; run += 1) {
    if (may.forks && below(2) === 0) {
      const at = below(checkpoints.length);
      forked ||= at < checkpoints.length - 1;
      state = checkpoints[at] ?? state;
    }
    state = loaded(state);
    if (may.resumes && below(3) === 0) {
      if (due(graph, state).length > 0) resumed += 1;
    } else {
      commit(superstep(graph, afterInput(graph, state), choose, true));
    }
    for (let left = below(8); left > 0; left -= 1) {
      const nodes = due(graph, state);
      if (nodes.length === 0 || nodes.length > mostTasks) break;
      count(nodes);
      commit(superstep(graph, state, choose));
    }
    // The superstep in which the run is cut has had some of its effects.
    count(some(due(graph, state)).slice(0, mostTasks));
  }
  return { counts, forked, resumed };
}
