/**
 * What the service does with an order: enters it in the ledger, says when it may be answered, and runs the graph to its
 * end in the background. Easy to get wrong: the answer waits for nothing but what the policy says, and the end is written
 * to the ledger only when LangGraph has given control back.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { runTokenKey } from '#analysis/model/identifiers.ts';
import { monotonicMs } from '#src/protocol/monotonic.ts';
import { businessKeyKey } from '#src/worker/node-actions.ts';
import type { CompiledGraph } from '#trials/graph.ts';
import type { AnswerPolicy } from '#trials/experiments/vanish.ts';
import type { Durability } from '#trials/scenario.ts';
import type { RunLedger } from './run-ledger.ts';
import type { Order } from './vanish-protocol.ts';

/** Between two looks for the row that is to be read back; looks share the saver's connections with what they wait for. */
const readBackMs = 20;

/** What a service runs orders with. */
export interface OrderRunsContext {
  readonly graph: CompiledGraph;
  readonly ledger: RunLedger;
  readonly durability: Durability;
  readonly answer: AnswerPolicy;
  /** The end of a run is in the ledger. */
  readonly onOver: (run: string, atMs: number) => void;
  /** The ledger cannot be written. */
  readonly onBroken: (error: unknown) => void;
}

interface Accepted {
  isOver: boolean;
  isStored: boolean;
}

/** See the file's head. */
export class OrderRuns {
  readonly #context: OrderRunsContext;
  readonly #accepted = new Map<string, Accepted>();
  readonly #waiters = new Set<() => void>();

  constructor(context: OrderRunsContext) {
    this.#context = context;
  }

  /** Takes an order; true: answer 202. False: a run of that id exists, or this one failed before it could be answered. */
  async take(order: Order): Promise<boolean> {
    const { ledger, answer } = this.#context;
    if (!(await ledger.enter(order))) return false;
    this.#accepted.set(order.run, { isOver: false, isStored: false });
    let began: () => void = () => undefined;
    const begun = new Promise<void>((resolve) => (began = resolve));
    const outcome = { hasFailed: false };
    const over = this.run(order, 1, { lines: order.lines }, began).then((error) => {
      outcome.hasFailed = error !== null;
    });
    if (answer === 'at-once') return true;
    await Promise.race([begun, over]);
    if (answer === 'read-back') {
      while (!outcome.hasFailed && !(await this.#isReadBack(order.thread))) await delay(readBackMs);
    }
    return !outcome.hasFailed;
  }

  /** Runs the graph until it ends, and enters that; resolves with its error. `input` null: resumes the thread. */
  async run(
    order: Order,
    attempt: number,
    input: { readonly lines: number } | null,
    onChunk: () => void,
  ): Promise<string | null> {
    const { graph, durability, onOver } = this.#context;
    const configurable = {
      thread_id: order.thread,
      [runTokenKey]: `${order.run}/attempt-${attempt}`,
      [businessKeyKey]: order.run,
    };
    let failure: string | null = null;
    try {
      const stream = await graph.stream(input, { configurable, durability, streamMode: 'updates' });
      const chunks = stream[Symbol.asyncIterator]();
      while ((await chunks.next()).done !== true) onChunk();
    } catch (error) {
      failure = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
    }
    await this.#end(order.run, failure);
    onOver(order.run, monotonicMs());
    return failure;
  }

  /** A row of the run is committed. */
  stored(run: string): void {
    const accepted = this.#accepted.get(run);
    if (accepted !== undefined) accepted.isStored = true;
    this.#wake();
  }

  /** Resolves when every accepted run has a row or is over: what a drain waits for. */
  async firstRows(): Promise<void> {
    while ([...this.#accepted.values()].some(({ isOver, isStored }) => !isOver && !isStored)) {
      await new Promise<void>((resolve) => this.#waiters.add(resolve));
    }
  }

  async #end(run: string, failure: string | null): Promise<void> {
    try {
      await this.#context.ledger.end(run, failure);
    } catch (error) {
      this.#context.onBroken(error);
    }
    const accepted = this.#accepted.get(run);
    if (accepted !== undefined) accepted.isOver = true;
    this.#wake();
  }

  async #isReadBack(thread: string): Promise<boolean> {
    const { checkpointer } = this.#context.graph;
    if (checkpointer === undefined || typeof checkpointer === 'boolean')
      throw new Error('the graph has a saver');
    return (await checkpointer.getTuple({ configurable: { thread_id: thread } })) !== undefined;
  }

  #wake(): void {
    const waiters = [...this.#waiters];
    this.#waiters.clear();
    for (const wake of waiters) wake();
  }
}
