/**
 * An oracle for tests: everything that can happen on a thread of a tiny graph, by exhaustion. It answers by how much
 * one node's count can exceed another's in so many supersteps, over all routings, cuts and new inputs.
 */
import { invariant } from '#analysis/model/bug.ts';
import {
  afterInput,
  due,
  emptyState,
  superstep,
  type Choice,
  type MachineGraph,
  type MachineState,
} from './superstep-machine.ts';

/** All checkpoints a thread can hold, numbered, and how runs lead from one to the next. */
export interface ThreadSpace {
  readonly due: readonly (readonly number[])[];
  /** Checkpoints after one superstep. */
  readonly after: readonly (readonly number[])[];
  /** Checkpoints after a new input and the superstep of START. */
  readonly afterInput: readonly (readonly number[])[];
}

/** Explores a graph without Sends. Null when it has more than `limit` checkpoints. */
export function threadSpace(graph: MachineGraph, limit: number): ThreadSpace | null {
  invariant(graph.sendable.length === 0, 'Sends make infinitely many checkpoints');
  const numbers = new Map<string, number>();
  const states: MachineState[] = [];
  const numberOf = (state: MachineState): number => {
    const key = JSON.stringify([
      [...state.plain].sort(),
      state.arrived.map((sources) => [...sources].sort()),
      [...state.ripe].sort(),
      state.changed === null ? null : [...state.changed].sort(),
    ]);
    const known = numbers.get(key);
    if (known !== undefined) return known;
    numbers.set(key, states.length);
    return states.push(state) - 1;
  };
  const space = { due: [] as number[][], after: [] as number[][], afterInput: [] as number[][] };
  numberOf(emptyState(graph));
  // The array grows while it is walked: it is the queue.
  for (const state of states) {
    if (states.length > limit) return null;
    const nodes = due(graph, state);
    space.due.push([...nodes]);
    space.after.push(
      nodes.length === 0
        ? []
        : routings(graph, nodes).map((choose) => numberOf(superstep(graph, state, choose))),
    );
    const begun = afterInput(graph, state);
    space.afterInput.push(
      routings(graph, [-1]).map((choose) => numberOf(superstep(graph, begun, choose, true))),
    );
  }
  return space;
}

/** Every way in which the given nodes can choose among their routed targets. */
function routings(graph: MachineGraph, nodes: readonly number[]): readonly ((node: number) => Choice)[] {
  let choices: readonly ReadonlyMap<number, readonly number[]>[] = [new Map()];
  for (const node of nodes) {
    for (const target of graph.routed.find(({ from }) => from === node)?.to ?? []) {
      choices = choices.flatMap((chosen) => [
        chosen,
        new Map(chosen).set(node, [...(chosen.get(node) ?? []), target]),
      ]);
    }
  }
  return choices.map((chosen) => (node) => ({ to: chosen.get(node) ?? [], sends: [] }));
}

/**
 * The most by which `lesser` can outnumber `greater` in `supersteps` supersteps of an unforked thread. A run may be cut
 * after a superstep or within one, where any part of its nodes has had its effect and nothing is committed.
 */
export function mostExcess(space: ThreadSpace, greater: number, lesser: number, supersteps: number): number {
  let best = space.due.map(() => 0);
  for (let step = 0; step < supersteps; step += 1) {
    const next = best;
    const from = (states: readonly number[] = []): number =>
      Math.max(0, ...states.map((state) => next[state] ?? 0));
    best = space.due.map((nodes, state) => {
      const cut = (nodes.includes(lesser) ? 1 : 0) + from(space.afterInput[state]);
      const whole =
        (nodes.includes(lesser) ? 1 : 0) - (nodes.includes(greater) ? 1 : 0) + from(space.after[state]);
      return Math.max(cut, whole);
    });
  }
  return best[0] ?? 0;
}

/**
 * The same for one run alone, begun with a new input on any checkpoint the thread can hold. If no single run has an
 * excess, no tree of runs has one, whatever checkpoints they fork from.
 */
export function mostExcessOfOneRun(
  space: ThreadSpace,
  greater: number,
  lesser: number,
  supersteps: number,
): number {
  let best = space.due.map(() => 0);
  for (let step = 0; step < supersteps; step += 1) {
    const next = best;
    best = space.due.map((nodes, state) => {
      const whole = (nodes.includes(lesser) ? 1 : 0) - (nodes.includes(greater) ? 1 : 0);
      const after = Math.max(0, ...(space.after[state] ?? []).map((following) => next[following] ?? 0));
      return Math.max(nodes.includes(lesser) ? 1 : 0, whole + after);
    });
  }
  return Math.max(0, ...space.afterInput.flatMap((states) => states.map((state) => best[state] ?? 0)));
}
