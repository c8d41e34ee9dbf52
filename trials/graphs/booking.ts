/**
 * The four-node booking graph: plan, charge, notify, finish in a line. `steps` tells what a branch did; racing
 * branches do equal work, so `receipts` (`node@run`) tells whose value a reader gets back.
 */
import { Annotation, END, START, StateGraph, type LangGraphRunnableConfig } from '@langchain/langgraph';
import type { BuildGraph, CompiledGraph, NodeActions } from '../graph.ts';

const appended = (left: string[], right: string[]): string[] => [...left, ...right];

const BookingState = Annotation.Root({
  steps: Annotation<string[]>({ reducer: appended, default: () => [] }),
  receipts: Annotation<string[]>({ reducer: appended, default: () => [] }),
});

/** Milliseconds each node works before its effect, at scale 1. */
export const bookingDelaysMs = { plan: 300, charge: 300, notify: 1500, finish: 500 } as const;

/** Compiles the booking graph. */
export const buildBooking: BuildGraph = (actions, checkpointer): CompiledGraph => {
  const node = (name: keyof typeof bookingDelaysMs) => work(actions, name, bookingDelaysMs[name]);
  const graph = new StateGraph(BookingState)
    .addNode('plan', node('plan'))
    .addNode('charge', node('charge'))
    .addNode('notify', node('notify'))
    .addNode('finish', node('finish'))
    .addEdge(START, 'plan')
    .addEdge('plan', 'charge')
    .addEdge('charge', 'notify')
    .addEdge('notify', 'finish')
    .addEdge('finish', END);
  return graph.compile(checkpointer === null ? {} : { checkpointer });
};

function work(actions: NodeActions, name: string, delayMs: number) {
  return async (_state: typeof BookingState.State, config: LangGraphRunnableConfig) => ({
    steps: [name],
    receipts: [await actions.perform(name, delayMs, config)],
  });
}
