import { setMaxListeners } from 'node:events';
import {
  Annotation,
  GraphRecursionError,
  MemorySaver,
  Send,
  START,
  StateGraph,
  type LangGraphRunnableConfig,
} from '@langchain/langgraph';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { randomGraph } from './random-graphs.ts';
import {
  afterInput,
  due,
  emptyState,
  loaded,
  start,
  superstep,
  type Choice,
  type MachineGraph,
} from './superstep-machine.ts';

/** What each execution of a node decides, taken in turn; the same script drives LangGraph and the machine. */
type Script = readonly Choice[];

/** One call of the graph: with a new input, or resuming; at most so many supersteps. */
interface Call {
  readonly input: boolean;
  readonly supersteps: number;
}

/** The nodes of each superstep, sorted, in order. */
type Trace = string[][];

/** Decides by turns per node, counting executions over the whole thread. */
function scripted(graph: MachineGraph, script: Script): (node: number) => Choice {
  const turns = new Map<number, number>();
  return (node) => {
    const turn = turns.get(node) ?? 0;
    turns.set(node, turn + 1);
    const choice = script[(turn + node + 1) % script.length] ?? { to: [], sends: [] };
    const targets = graph.routed.find(({ from }) => from === node)?.to ?? [];
    return {
      to: choice.to.filter((target) => targets.includes(target)),
      // Sends that beget Sends would double every superstep.
      sends: turn < 3 ? choice.sends.filter((target) => graph.sendable.includes(target)) : [],
    };
  };
}

function machineTraces(graph: MachineGraph, script: Script, calls: readonly Call[]): Trace[] {
  const choose = scripted(graph, script);
  let state = emptyState(graph);
  return calls.map(({ input, supersteps }) => {
    const trace: Trace = [];
    let left = supersteps;
    state = input ? superstep(graph, afterInput(graph, state), choose, true) : loaded(state);
    if (input) left -= 1;
    while (left > 0 && due(graph, state).length > 0) {
      trace.push(
        due(graph, state)
          .map((node) => `n${node}`)
          .sort(),
      );
      state = superstep(graph, state, choose);
      left -= 1;
    }
    return trace;
  });
}

async function langGraphTraces(
  graph: MachineGraph,
  script: Script,
  calls: readonly Call[],
): Promise<Trace[]> {
  const choose = scripted(graph, script);
  const ran: { step: number; node: string }[] = [];
  const State = Annotation.Root({
    value: Annotation<number>({ reducer: (a, b) => a + b, default: () => 0 }),
  });
  // The builder's type grows with every node; the nodes are only known at run time.
  let builder = new StateGraph(State) as unknown as StateGraph<unknown, unknown, object, string>;
  for (const [index, name] of graph.names.entries()) {
    const body = (_: unknown, config: LangGraphRunnableConfig): object => {
      ran.push({ step: Number(config.metadata?.['langgraph_step']), node: name });
      return {};
    };
    builder = builder.addNode(name, body, { defer: graph.deferred.includes(index) });
  }
  const nameOf = (node: number): string => (node === start ? START : (graph.names[node] ?? ''));
  for (const { from, to } of graph.fixed) builder.addEdge(nameOf(from), nameOf(to));
  for (const { from, to } of graph.barriers) builder.addEdge(from.map(nameOf), nameOf(to));
  for (const from of [start, ...graph.names.keys()]) {
    const targets = [...(graph.routed.find((routes) => routes.from === from)?.to ?? []), ...graph.sendable];
    if (targets.length === 0) continue;
    const route = (): (string | Send)[] => {
      const { to, sends } = choose(from);
      return [...to.map(nameOf), ...sends.map((target) => new Send(nameOf(target), {}))];
    };
    builder.addConditionalEdges(nameOf(from), route, [...new Set(targets)].map(nameOf));
  }
  const compiled = builder.compile({ checkpointer: new MemorySaver() });
  const traces: Trace[] = [];
  for (const { input, supersteps } of calls) {
    ran.length = 0;
    try {
      await compiled.invoke(input ? { value: 1 } : null, {
        configurable: { thread_id: 't' },
        // The loop checks its limit after it counted the input, and lets one superstep more run.
        recursionLimit: supersteps - (input ? 1 : 2),
      });
    } catch (error) {
      if (!(error instanceof GraphRecursionError)) throw error;
    }
    const steps = [...new Set(ran.map(({ step }) => step))].sort((a, b) => a - b);
    const nodesOf = (at: number): string[] => ran.filter(({ step }) => step === at).map(({ node }) => node);
    traces.push(steps.map((step) => nodesOf(step).sort()));
  }
  return traces;
}

const calls: fc.Arbitrary<Call[]> = fc
  .array(fc.record({ input: fc.boolean(), supersteps: fc.integer({ min: 3, max: 7 }) }), { maxLength: 4 })
  .map((rest) => [{ input: true, supersteps: 4 }, ...rest]);
const script: fc.Arbitrary<Script> = fc.array(
  fc.record({
    to: fc.uniqueArray(fc.nat(4), { maxLength: 3 }),
    sends: fc.array(fc.nat(4), { maxLength: 2 }),
  }),
  { minLength: 1, maxLength: 5 },
);

/** LangGraph refuses to compile a graph with a node that nothing leads to. */
function compiles(graph: MachineGraph): boolean {
  return [...graph.names.keys()].every(
    (node) =>
      graph.fixed.some(({ to }) => to === node) ||
      graph.routed.some(({ to }) => to.includes(node)) ||
      graph.barriers.some(({ to }) => to === node) ||
      graph.sendable.includes(node),
  );
}

// A superstep of many Sends has LangGraph listen to one signal more than ten times.
setMaxListeners(0);

describe('the superstep machine', () => {
  it('runs the same nodes in the same supersteps as LangGraph, over inputs, resumptions and cuts', async () => {
    const graph = randomGraph(fc, {
      nodes: 5,
      strayEdges: 3,
      barriers: 2,
      fixed: true,
      deferred: true,
      sends: true,
    });
    await fc.assert(
      fc.asyncProperty(graph.filter(compiles), script, calls, async (drawn, decisions, made) => {
        expect(machineTraces(drawn, decisions, made)).toEqual(await langGraphTraces(drawn, decisions, made));
      }),
      { numRuns: 40 },
    );
  });
});
