/**
 * What a file with a scenario of one's own exports: a graph, what is sent to it, and what should hold. Types for
 * `import type { OwnScenario } from 'forkscope/scenario'`; everything but `build` and `stages` has a default.
 */
import { z } from 'zod';
import { durabilities, type Durability } from '#trials/scenario.ts';
import { keySources, type KeySource } from '#trials/provider.ts';

/**
 * What a node may do to the world. LangGraph's own types are not named here: the file may resolve another copy of them
 * than forkscope does, and equal classes of two copies are different types.
 */
export interface OwnActions {
  /**
   * Works for `delayMs` (scaled by the series), then performs the node's one effect: the record is in the log when the
   * promise resolves. Returns a receipt.
   *
   * @param config what LangGraph hands the node as its second argument
   */
  readonly perform: (node: string, delayMs: number, config: object) => Promise<string>;
}

/** One request. */
export interface OwnRequest {
  /** Unique among the scenario's requests. */
  readonly name: string;
  /** The graph's input; null resumes the thread. */
  readonly input: Readonly<Record<string, unknown>> | null;
  /** The client closes its connection after so many chunks (one a node); left out: it reads to the end. */
  readonly leavesAfterChunk?: number;
  /** Sent so many milliseconds (at scale 1) after the others of its stage; left out: at once. */
  readonly offsetMs?: number;
  /** A run that fails is a result and does not abort the trial. */
  readonly mayFail?: boolean;
}

/** Requests that start together. */
export interface OwnStage {
  readonly requests: readonly OwnRequest[];
  /** `run-ended` (default): the next stage waits until the runs have stored their rows; `client-done`: only for clients. */
  readonly settle?: 'run-ended' | 'client-done';
}

/** A variant under comparison. */
export interface OwnArm {
  readonly name: string;
  readonly summary?: string;
  /** A handler shape of forkscope's, such as `abort-signal` (default), `for-await`, `detached`. */
  readonly handler?: string;
  /** A mitigation of forkscope's, such as `none` (default), `lock-wait`, `lock-reject`, `lease`. */
  readonly guard?: string;
  readonly versions?: 'integers' | 'strings';
  readonly durability?: Durability;
  /** Nodes with a business key call a payment provider, with a key from here. */
  readonly chargesWithKey?: KeySource;
}

/** What the file exports by default. */
export interface OwnScenario {
  /** For lists and folders; left out: the file's name. */
  readonly name?: string;
  readonly summary?: string;
  /** What the series can show to be true or false. */
  readonly claim?: string;
  /**
   * Compiles the graph. A node calls `actions.perform(name, delayMs, config)` where it does something to the world;
   * that is what the effect log holds. `checkpointer` is null when the graph is only looked at.
   */
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- a saver of whichever copy of LangGraph the file compiles with
  readonly build: (actions: OwnActions, checkpointer: any) => object;
  readonly stages: readonly OwnStage[];
  /** Left out: one arm without any mitigation. */
  readonly arms?: readonly OwnArm[];
  /** Requests whose runs are meant to overlap; left out: those that share a stage. */
  readonly racing?: readonly string[];
  /** What should happen once; left out: nothing is counted as happening twice. */
  readonly businessKey?: { readonly nodes: readonly string[]; readonly per: 'trial' | 'request' };
  /** Nodes counted in the tables; left out: all of the graph, in its order. */
  readonly counted?: readonly string[];
  /** Count rules beside those that follow from the graph, such as `plan >= charge`. */
  readonly rules?: readonly string[];
  /** What branch functions return: names of declared targets (default), or anything, Sends included. */
  readonly routes?: 'names' | 'anything';
}

const name = z.string().min(1).max(200);

const request = z.strictObject({
  name: name.regex(/^[^/]+$/, 'a slash separates thread and request in run tokens'),
  input: z.record(z.string(), z.unknown()).nullable(),
  leavesAfterChunk: z.number().int().positive().optional(),
  offsetMs: z.number().nonnegative().optional(),
  mayFail: z.boolean().optional(),
});

/** Checks the export. Functions are only seen to be functions. */
export const ownScenarioSchema = z.strictObject({
  name: name.regex(/^[\w.-]+$/, 'it names a folder: letters, digits, dot, dash and underscore').optional(),
  summary: z.string().optional(),
  claim: z.string().optional(),
  build: z.custom<OwnScenario['build']>((value) => typeof value === 'function', {
    error: 'a function (actions, checkpointer) => compiled graph',
  }),
  stages: z
    .array(
      z.strictObject({
        requests: z.array(request).min(1),
        settle: z.enum(['run-ended', 'client-done']).optional(),
      }),
    )
    .min(1),
  arms: z
    .array(
      z.strictObject({
        name,
        summary: z.string().optional(),
        handler: z.string().optional(),
        guard: z.string().optional(),
        versions: z.enum(['integers', 'strings']).optional(),
        durability: z.enum(durabilities).optional(),
        chargesWithKey: z.enum(keySources).optional(),
      }),
    )
    .min(1)
    .optional(),
  racing: z.array(z.string()).optional(),
  businessKey: z.strictObject({ nodes: z.array(z.string()), per: z.enum(['trial', 'request']) }).optional(),
  counted: z.array(z.string()).optional(),
  rules: z.array(z.string()).optional(),
  routes: z.enum(['names', 'anything']).optional(),
});
