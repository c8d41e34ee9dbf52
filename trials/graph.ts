/**
 * How a scenario declares its graph without importing LangGraph: the import costs hundreds of milliseconds, and
 * `--help` must not pay it. `load` is called by a worker, and by the primary when it derives the count rules.
 */
import type { BaseCheckpointSaver } from '@langchain/langgraph-checkpoint';
import type { CompiledStateGraph, LangGraphRunnableConfig } from '@langchain/langgraph';

/** A compiled graph whose type parameters nobody outside the graph's own file needs. */
// eslint-disable-next-line @typescript-eslint/no-explicit-any -- the parameters are invariant; no other type accepts every graph
export type CompiledGraph = CompiledStateGraph<any, any, any, any, any, any, any, any, any>;

/** What a node of a scenario's graph may do to the world; the worker supplies it. */
export interface NodeActions {
  /**
   * Works for `delayMs` (scaled by the series), then performs the node's one effect: the record is in the log when
   * the promise resolves. Returns the receipt `node@run`.
   *
   * @param returning the keys of the update that the node is about to return, for the record; left out: not told
   */
  perform(
    node: string,
    delayMs: number,
    config: LangGraphRunnableConfig,
    returning?: readonly string[],
  ): Promise<string>;
}

/** Builds the graph with the worker's actions and saver; a null saver compiles it for its shape alone. */
export type BuildGraph = (actions: NodeActions, checkpointer: BaseCheckpointSaver | null) => CompiledGraph;

/** A graph by name, loaded on demand. */
export interface GraphDeclaration {
  readonly name: string;
  /** What branch functions and gotos return: only names of declared targets, or anything, Sends included. */
  readonly routes: 'names' | 'anything';
  readonly load: () => Promise<BuildGraph>;
}
