/**
 * The graph of the population: `first`, and from there the way that the input names. Easy to get wrong: a killed and a
 * live run must leave the same rows, so both wait in the same node, and only what is done to them differs.
 */
import { setTimeout as delay } from 'node:timers/promises';
import type { BaseCheckpointSaver } from '@langchain/langgraph-checkpoint';
import {
  Annotation,
  END,
  START,
  StateGraph,
  interrupt,
  type LangGraphRunnableConfig,
} from '@langchain/langgraph';
import type { RunRegistry } from '#src/worker/run-registry.ts';
import { runTokenOf } from '#src/worker/recording-saver.ts';
import { breakpointNode, type PopulationPath } from '#trials/experiments/reconcile.ts';
import type { CompiledGraph } from '#trials/graph.ts';
import type { NodeGates } from './node-gates.ts';

const State = Annotation.Root({
  path: Annotation<PopulationPath>(),
  done: Annotation<string[]>({ reducer: (left, right) => [...left, ...right], default: () => [] }),
});
type StateOf = typeof State.State;

/** A busy run stores a row so often; fast enough that some fall into the reading, slow enough to leave processors free. */
const tickMs = 25;

/** Builds the graph. Its node bodies are told to the registry, so that the end of a run includes theirs. */
export function buildPopulationGraph(
  gates: NodeGates,
  runs: RunRegistry,
  checkpointer: BaseCheckpointSaver,
): CompiledGraph {
  const node =
    (name: string, work: (thread: string) => Promise<void>) =>
    async (_state: StateOf, config: LangGraphRunnableConfig) => {
      const run = runTokenOf(config);
      if (run !== null) runs.bodyBegan(run);
      try {
        await work(threadOf(config));
        return { done: [name] };
      } finally {
        if (run !== null) runs.bodyEnded(run);
      }
    };
  const held = (name: string) => node(name, async (thread) => gates.pass(thread));
  const free = (name: string) => node(name, async () => Promise.resolve());
  return new StateGraph(State)
    .addNode('first', free('first'))
    .addNode('work', held('work'))
    .addNode('quick', free('quick'))
    .addNode('slow', held('slow'))
    .addNode('ask', () => ({ done: [String(interrupt('may it go on?'))] }))
    .addNode(breakpointNode, free(breakpointNode))
    .addNode(
      'fail',
      node('fail', () => Promise.reject(new Error('this node fails'))),
    )
    .addNode(
      'tick',
      node('tick', async (thread) => {
        gates.arrived(thread);
        await delay(tickMs);
      }),
    )
    .addEdge(START, 'first')
    .addConditionalEdges('first', ({ path }: StateOf) => [...firstNodes[path]], [
      ...new Set(Object.values(firstNodes).flat()),
    ])
    .addConditionalEdges(
      'tick',
      (_state: StateOf, config: LangGraphRunnableConfig) => (gates.isOpen(threadOf(config)) ? END : 'tick'),
      ['tick', END],
    )
    .addEdge('work', END)
    .addEdge('quick', END)
    .addEdge('slow', END)
    .addEdge('ask', END)
    .addEdge(breakpointNode, END)
    .addEdge('fail', END)
    .compile({ checkpointer, interruptBefore: [breakpointNode] });
}

const firstNodes = {
  line: ['work'],
  fan: ['quick', 'slow'],
  ask: ['ask'],
  review: [breakpointNode],
  fail: ['fail'],
  tick: ['tick'],
} as const satisfies Readonly<Record<PopulationPath, readonly string[]>>;

function threadOf(config: LangGraphRunnableConfig): string {
  return String(config.configurable?.['thread_id']);
}
