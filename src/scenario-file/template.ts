/** What `forkscope trials --init` writes: a scenario that runs as it is, to be changed into one's own. */
export const scenarioTemplate = `// A scenario for forkscope: which graph runs, what is sent to it, and what should hold.
//   forkscope race ./forkscope-scenario.ts
// The contract is in docs/own-scenarios.md.
import { Annotation, END, START, StateGraph } from '@langchain/langgraph';
import type { OwnScenario } from 'forkscope/scenario';

const State = Annotation.Root({
  steps: Annotation<string[]>({ reducer: (left, right) => [...left, ...right], default: () => [] }),
});

const scenario: OwnScenario = {
  summary: 'two posts at once on a new thread',
  claim: 'two first posts charge twice',
  build: (actions, checkpointer) => {
    const graph = new StateGraph(State)
      // actions.perform works for so many milliseconds and then does the node's one thing to the world,
      // which the effect log records. Put your own code before or behind it.
      .addNode('plan', async (_state, config) => ({ steps: [await actions.perform('plan', 300, config)] }))
      .addNode('charge', async (_state, config) => ({ steps: [await actions.perform('charge', 300, config)] }))
      .addEdge(START, 'plan')
      .addEdge('plan', 'charge')
      .addEdge('charge', END);
    return graph.compile(checkpointer === null ? {} : { checkpointer });
  },
  stages: [
    {
      requests: [
        { name: 'first-a', input: { steps: [] } },
        { name: 'first-b', input: { steps: [] } },
      ],
    },
  ],
  // One booking, whatever the number of requests: charge should take effect once a trial.
  businessKey: { nodes: ['charge'], per: 'trial' },
  arms: [{ name: 'none' }, { name: 'lock-wait', guard: 'lock-wait' }],
};

export default scenario;
`;
