/**
 * The graph that the service runs: plan, charge, notify, finish, with a node before them that only takes the input where
 * the service wants a superstep stored early. `plan` writes a report with as many lines as the order asks for, which is how
 * an order can exhaust a worker.
 */
import type { BaseCheckpointSaver } from '@langchain/langgraph-checkpoint';
import { Annotation, END, START, StateGraph, type LangGraphRunnableConfig } from '@langchain/langgraph';
import type { CompiledGraph, NodeActions } from '#trials/graph.ts';

const State = Annotation.Root({
  lines: Annotation<number>(),
  steps: Annotation<string[]>({ reducer: (left, right) => [...left, ...right], default: () => [] }),
});

/** Milliseconds each node works before its effect, at scale 1. */
export const orderDelaysMs = { plan: 300, charge: 300, notify: 1500, finish: 500 } as const;

/** The node that takes the input. */
export const intakeNode = 'intake';

/** Builds the graph. */
export function buildOrderGraph(
  actions: NodeActions,
  checkpointer: BaseCheckpointSaver,
  hasIntake: boolean,
): CompiledGraph {
  const node =
    (name: keyof typeof orderDelaysMs) =>
    async (_state: typeof State.State, config: LangGraphRunnableConfig) => {
      await actions.perform(name, orderDelaysMs[name], config);
      return { steps: [name] };
    };
  const plan = node('plan');
  const builder = new StateGraph(State)
    .addNode('plan', async (state, config: LangGraphRunnableConfig) => {
      report(state.lines);
      return plan(state, config);
    })
    .addNode('charge', node('charge'))
    .addNode('notify', node('notify'))
    .addNode('finish', node('finish'))
    .addEdge('plan', 'charge')
    .addEdge('charge', 'notify')
    .addEdge('notify', 'finish')
    .addEdge('finish', END);
  if (!hasIntake) return builder.addEdge(START, 'plan').compile({ checkpointer });
  return builder
    .addNode(intakeNode, () => ({ steps: [intakeNode] }))
    .addEdge(START, intakeNode)
    .addEdge(intakeNode, 'plan')
    .compile({ checkpointer });
}

function report(lines: number): number {
  const text: string[] = [];
  for (let line = 0; line < lines; line += 1)
    text.push(`line ${line} of ${lines} `.padEnd(400, `${line % 10}`).slice(1));
  return text.reduce((sum, { length }) => sum + length, 0);
}
