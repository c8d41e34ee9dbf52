/**
 * What a scenario is: a claim about concurrent workers, declared as data. The runner in src/ reads it and acts;
 * nothing here opens a socket or a file. Delays are declared at full length; a series scales them.
 */
import type { GraphDeclaration } from './graph.ts';

/** When LangGraph saves: each superstep without waiting, each superstep and wait, or once when the run exits. */
export const durabilities = ['async', 'sync', 'exit'] as const;
/** One of {@link durabilities}. */
export type Durability = (typeof durabilities)[number];

/** At least one element. */
export type NonEmpty<T> = readonly [T, ...T[]];

/** One request of a stage. */
export interface RequestPlan {
  /** Unique within the scenario; the run token is `<thread>/<name>`. */
  readonly name: string;
  /** The graph's input; an empty object is new input that changes no channel, null would resume. */
  readonly input: Readonly<Record<string, unknown>> | null;
  /** The client closes its socket after reading this many chunks; null reads to the end. */
  readonly disconnectAfterChunk: number | null;
  /** Sent this long after the start line opens, unscaled milliseconds. */
  readonly offsetMs: number;
}

/**
 * What is waited for before the next stage. `run-ended`: until the workers say that every run of the stage has ended
 * and its rows are stored. `client-done`: only until the client is done; an aborted run may still be writing.
 */
export type Settle = 'run-ended' | 'client-done';

/** Requests released from one start line, and what is waited for after them. */
export interface Stage {
  readonly requests: NonEmpty<RequestPlan>;
  readonly settle: Settle;
}

/** What should happen once: for the whole trial, or once per request. */
export interface BusinessKey {
  readonly nodes: readonly string[];
  readonly per: 'trial' | 'request';
}

/** A scenario as data. */
export interface Scenario {
  readonly name: string;
  /** One line for lists and `--help`. */
  readonly summary: string;
  /** What the series can show to be true or false, one sentence. */
  readonly claim: string;
  readonly graph: GraphDeclaration;
  readonly stages: NonEmpty<Stage>;
  /** Names of the requests whose runs are meant to overlap; empty for a control. */
  readonly racing: readonly string[];
  readonly businessKey: BusinessKey;
  /** The nodes counted in the outcome table, in graph order. */
  readonly counted: readonly string[];
}

/** All requests of a scenario, in stage order. */
export function requestsOf(scenario: Scenario): readonly RequestPlan[] {
  return scenario.stages.flatMap((stage) => stage.requests);
}
