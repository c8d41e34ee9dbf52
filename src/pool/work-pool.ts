/**
 * Threads of this process that sort and analyse. Easy to get wrong: a pool that is not closed keeps the process alive,
 * and an operator error that crosses a thread loses its kind.
 */
import { availableParallelism } from 'node:os';
import { Piscina } from 'piscina';
import { OperatorError } from '../failure/operator-error.ts';
import { builtFile } from '../package-root.ts';
import type { ShardAudit, ShardAuditTask } from '../audit/shard-audit.ts';
import type { Block, LineChoice, SortedBlock } from '../dump/shards/block.ts';
import type { AnalysedThread, ThreadBatch } from '../source/thread-batch.ts';
import type { AuditedShard } from './tasks.ts';

/** More threads than this no longer gain: the text is read by one. */
const mostThreads = 8;

/** A pool; its threads start with the first task and end with {@link WorkPool.close}. */
export class WorkPool {
  readonly #pool: Piscina;
  /** How many tasks run at once. */
  readonly threads = Math.max(1, Math.min(mostThreads, availableParallelism()));

  /** `youngBytes`: room for short-lived objects in each thread; more of it is faster and costs memory. */
  constructor(youngMegabytes: number) {
    this.#pool = new Piscina({
      filename: builtFile('src/pool/tasks'),
      minThreads: 1,
      maxThreads: this.threads,
      idleTimeout: 10_000,
      resourceLimits: { maxYoungGenerationSizeMb: youngMegabytes },
    });
  }

  analyseBatch(batch: ThreadBatch, signal: AbortSignal): Promise<readonly AnalysedThread[]> {
    return this.#run('analyseBatch', batch, { signal });
  }

  /** The block's memory is sent along. */
  sortBlock(block: Block, choice: LineChoice): Promise<SortedBlock> {
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
    await this.#pool.destroy();
  }

  #run<Result>(
    name: string,
    task: unknown,
    options: { readonly signal?: AbortSignal; readonly transferList?: ArrayBuffer[] },
  ): Promise<Result> {
    return this.#pool.run(task, { name, ...options }) as Promise<Result>;
  }
}
