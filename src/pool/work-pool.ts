/**
 * Threads of this process that sort and analyse. Easy to get wrong: a pool that is not closed keeps the process alive,
 * and an operator error that crosses a thread loses its kind. The first rows are worked on where they are: starting
 * threads takes longer than a small source as a whole.
 */
import { availableParallelism } from 'node:os';
import { Piscina } from 'piscina';
import { OperatorError } from '../failure/operator-error.ts';
import { builtFile } from '../package-root.ts';
import { auditShard, type ShardAudit, type ShardAuditTask } from '../audit/shard-audit.ts';
import type { Block, LineChoice, SortedBlock } from '../dump/shards/block.ts';
import type { AnalysedThread, ThreadBatch } from '../source/thread-batch.ts';
import type { AuditedShard } from './tasks.ts';
import { analyseThreads, sortLines } from './work.ts';

/** More threads than this no longer gain: the text is read by one. */
const mostThreads = 8;

/** Rows that are worked on before threads start; as much work as starting two threads is (0.35 s, 0.9 CPU-seconds). */
const rowsBeforeThreads = 8_000;

/** 32-bit words that a packed row takes, about. */
const rowWords = 16;

/** A pool; its threads start with the first work that is worth it and end with {@link WorkPool.close}. */
export class WorkPool {
  readonly #youngMegabytes: number;
  #pool: Piscina | null = null;
  #rowsLeft = rowsBeforeThreads;
  /** How many tasks run at once. */
  readonly threads = Math.max(1, Math.min(mostThreads, availableParallelism()));

  /** `youngMegabytes`: room for short-lived objects in each thread; more of it is faster and costs memory. */
  constructor(youngMegabytes: number) {
    this.#youngMegabytes = youngMegabytes;
  }

  async analyseBatch(batch: ThreadBatch, signal: AbortSignal): Promise<readonly AnalysedThread[]> {
    if (this.#isSmall(rowsOf(batch))) {
      signal.throwIfAborted();
      return analyseThreads(batch);
    }
    return this.#run('analyseBatch', batch, { signal });
  }

  /** The block's memory is sent along. */
  async sortBlock(block: Block, choice: LineChoice): Promise<SortedBlock> {
    if (this.#isSmall(block.regions.reduce((sum, { ends }) => sum + ends.length, 0)))
      return sortLines(block, choice);
    const lines = block.regions.map(({ ends }) => ends.buffer as ArrayBuffer);
    return this.#run('sortBlock', { block, choice }, { transferList: [block.memory, ...lines] });
  }

  /** The shard's rows are sent along; `reuse` gets their memory back. *Fails* with the OperatorError of the task. */
  async auditShard(
    task: ShardAuditTask,
    signal: AbortSignal,
    reuse: (memory: ArrayBuffer) => void,
  ): Promise<ShardAudit> {
    const { rows } = task.shard.parts;
    if (this.#isSmall(rows.length / rowWords)) {
      signal.throwIfAborted();
      const audit = await auditShard(task);
      reuse(rows.buffer);
      return audit;
    }
    const { outcome, memory } = await this.#run<AuditedShard>('auditShard', task, {
      signal,
      transferList: [rows.buffer],
    });
    reuse(memory);
    if (outcome.kind === 'done') return outcome.result;
    const { happened, place, expected, remedy } = outcome.error;
    throw new OperatorError({ happened, place, remedy, ...(expected === null ? {} : { expected }) });
  }

  async close(): Promise<void> {
    await this.#pool?.destroy();
  }

  /** Whether so many rows are better done at once; once threads are there, nothing is. */
  #isSmall(rows: number): boolean {
    if (this.#pool !== null || rows > this.#rowsLeft) return false;
    this.#rowsLeft -= rows;
    return true;
  }

  #run<Result>(
    name: string,
    task: unknown,
    options: { readonly signal?: AbortSignal; readonly transferList?: ArrayBuffer[] },
  ): Promise<Result> {
    this.#pool ??= new Piscina({
      filename: builtFile('src/pool/tasks'),
      minThreads: 1,
      maxThreads: this.threads,
      idleTimeout: 10_000,
      resourceLimits: { maxYoungGenerationSizeMb: this.#youngMegabytes },
    });
    return this.#pool.run(task, { name, ...options }) as Promise<Result>;
  }
}

function rowsOf({ evidence }: ThreadBatch): number {
  return evidence.reduce(
    (sum, { rows }) => sum + rows.checkpoints.length + (rows.blobs?.length ?? 0) + (rows.writes?.length ?? 0),
    0,
  );
}
