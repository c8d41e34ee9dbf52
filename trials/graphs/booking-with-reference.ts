/**
 * A booking whose charge returns the payment's reference under a name that the input chooses. The schema has
 * `reference`; any other name is a misspelling as a refactoring leaves it. Easy to get wrong: such a key is dropped
 * without an error, in the rows as in the stream, while the node's other keys are kept.
 */
import { Annotation, END, START, StateGraph, type LangGraphRunnableConfig } from '@langchain/langgraph';
import type { BuildGraph, CompiledGraph, NodeActions } from '../graph.ts';

const appended = (left: string[], right: string[]): string[] => [...left, ...right];
const newest = (_left: string, right: string): string => right;

const ReferenceState = Annotation.Root({
  steps: Annotation<string[]>({ reducer: appended, default: () => [] }),
  receipts: Annotation<string[]>({ reducer: appended, default: () => [] }),
  /** The key under which charge returns the reference. */
  referenceKey: Annotation<string>({ reducer: newest, default: () => 'reference' }),
  reference: Annotation<string>({ reducer: newest, default: () => '' }),
});

/** Milliseconds each node works before its effect, at scale 1. */
export const referenceDelaysMs = { charge: 300, notify: 300 } as const;

/** Compiles the graph. */
export const buildBookingWithReference: BuildGraph = (actions, checkpointer): CompiledGraph => {
  const graph = new StateGraph(ReferenceState)
    .addNode('charge', charge(actions))
    .addNode('notify', async (_state, config: LangGraphRunnableConfig) => ({
      steps: ['notify'],
      receipts: [await actions.perform('notify', referenceDelaysMs.notify, config, ['steps', 'receipts'])],
    }))
    .addEdge(START, 'charge')
    .addEdge('charge', 'notify')
    .addEdge('notify', END);
  return graph.compile(checkpointer === null ? {} : { checkpointer });
};

function charge(actions: NodeActions) {
  return async ({ referenceKey }: typeof ReferenceState.State, config: LangGraphRunnableConfig) => {
    const update = { steps: ['charge'], receipts: [] as string[], [referenceKey]: 'pay-1' };
    update.receipts.push(
      await actions.perform('charge', referenceDelaysMs.charge, config, Object.keys(update)),
    );
    return update;
  };
}
