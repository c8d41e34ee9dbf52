/**
 * A handler shape: one way in which a web service runs a graph for a request and behaves when the client leaves. Easy
 * to get wrong: a handler is done when its consumer is, which says nothing about the run; the registry knows when
 * that has stored its rows.
 */
import type { ServerResponse } from 'node:http';
import type { CompiledGraph } from '#trials/graph.ts';
import type { RunRequest } from '../../protocol/run-request.ts';
import type { RunRegistry } from '../run-registry.ts';

/** What a handler has for one request. The run is registered; a mitigation, if there is one, has admitted it. */
export interface RunContext {
  readonly request: RunRequest;
  /** The fencing token that a lease gave the run; null: none. */
  readonly fence: number | null;
  readonly response: ServerResponse;
  readonly graph: CompiledGraph;
  readonly runs: RunRegistry;
  readonly worker: string;
  readonly slot: number;
  /** Addresses of the services beside the workers, by name. */
  readonly services: ReadonlyMap<string, string>;
}

/**
 * Serves one run: sends its events, ends the response and tells the registry that its consumer has ended. It never
 * rejects: a failed run is an event and a record. It may resolve while the run goes on.
 */
export type Handler = (context: RunContext) => Promise<void>;
