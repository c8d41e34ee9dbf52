/**
 * A booking that asks before it charges: plan, approve, charge, finish in a line. Easy to get wrong: an interrupted
 * node runs its body again from the top when it is answered, so what it does to the world stands behind the question.
 */
import {
  Annotation,
  END,
  START,
  StateGraph,
  interrupt,
  type LangGraphRunnableConfig,
} from '@langchain/langgraph';
import type { BuildGraph, CompiledGraph, NodeActions } from '../graph.ts';

const appended = (left: string[], right: string[]): string[] => [...left, ...right];

const ApprovalState = Annotation.Root({
  steps: Annotation<string[]>({ reducer: appended, default: () => [] }),
  receipts: Annotation<string[]>({ reducer: appended, default: () => [] }),
  /** The answers that approvals were given with. */
  approvals: Annotation<string[]>({ reducer: appended, default: () => [] }),
});

/** Milliseconds each node works before its effect, at scale 1. */
export const approvalDelaysMs = { plan: 300, approve: 100, charge: 300, finish: 500 } as const;

/** Compiles the graph. */
export const buildBookingWithApproval: BuildGraph = (actions, checkpointer): CompiledGraph => {
  const node = (name: keyof typeof approvalDelaysMs) => work(actions, name, approvalDelaysMs[name]);
  const graph = new StateGraph(ApprovalState)
    .addNode('plan', node('plan'))
    .addNode('approve', async (_state, config: LangGraphRunnableConfig) => {
      const answer = interrupt<string, string>('May this booking be charged?');
      return {
        steps: ['approve'],
        receipts: [await actions.perform('approve', approvalDelaysMs.approve, config)],
        approvals: [answer],
      };
    })
    .addNode('charge', node('charge'))
    .addNode('finish', node('finish'))
    .addEdge(START, 'plan')
    .addEdge('plan', 'approve')
    .addEdge('approve', 'charge')
    .addEdge('charge', 'finish')
    .addEdge('finish', END);
  return graph.compile(checkpointer === null ? {} : { checkpointer });
};

function work(actions: NodeActions, name: string, delayMs: number) {
  return async (_state: typeof ApprovalState.State, config: LangGraphRunnableConfig) => ({
    steps: [name],
    receipts: [await actions.perform(name, delayMs, config)],
  });
}
