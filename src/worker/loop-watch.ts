/**
 * When does a run's background loop end? After an abort LangGraph hands control back at once and stores rows
 * afterwards, and no public event marks the end: callbacks fire only if somebody still reads the stream. So the one
 * method in which the loop lives (`Pregel._runLoop`, langgraph 1.7.3, dist/pregel/index.js) is watched, and then the
 * saves it started are awaited. The method is internal; a version without it is refused, not guessed around.
 */
import type { RunnableConfig } from '@langchain/core/runnables';
import type { CompiledGraph } from '#trials/graph.ts';
import { OperatorError } from '../failure/operator-error.ts';
import { runTokenOf } from './recording-saver.ts';
import type { RunRegistry } from './run-registry.ts';

interface LoopParameters {
  readonly config: RunnableConfig;
  readonly loop: { readonly checkpointerPromises: Iterable<Promise<unknown>> };
}
type RunLoop = (parameters: LoopParameters) => Promise<void>;

/** Makes the graph tell the registry when the loop of a run begins and when it has ended with its rows stored. */
export function watchLoop(graph: CompiledGraph, runs: RunRegistry): void {
  const holder = graph as unknown as { _runLoop?: RunLoop };
  const runLoop = holder._runLoop?.bind(graph);
  if (runLoop === undefined) {
    throw new OperatorError({
      happened:
        'this version of @langchain/langgraph has no Pregel._runLoop, so the end of a run cannot be observed',
      place: '@langchain/langgraph',
      remedy: 'Install the version that package-lock.json names: npm ci.',
    });
  }
  holder._runLoop = async (parameters) => {
    const token = runTokenOf(parameters.config);
    if (token === null) return runLoop(parameters);
    runs.loopBegan(token);
    try {
      await runLoop(parameters);
    } finally {
      // Not awaited here: LangGraph awaits the same saves right after, and must not be delayed by being watched.
      void Promise.allSettled([...parameters.loop.checkpointerPromises]).then(() => {
        runs.loopEnded(token);
      });
    }
  };
}
