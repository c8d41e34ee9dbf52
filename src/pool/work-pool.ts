/**
 * Threads of this process that sort and analyse. Easy to get wrong: a pool that is not closed keeps the process alive,
 * and an operator error that crosses a thread loses its kind.
 */
import { availableParallelism } from 'node:os';
import { Piscina } from 'piscina';
import { OperatorError } from '../failure/operator-error.ts';
import { builtFile } from '../package-root.ts';
import type { ShardAudit, ShardAuditTask } from '../audit/shard-audit.ts';
import type { Block, LineChoice, Run } from '../dump/shards/block.ts';
import type { AnalysedThread, ThreadBatch } from '../source/thread-batch.ts';
import type { Outcome } from './tasks.ts';

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
    return this.#run('analyseBatch', batch, signal);
  }

  sortBlock(block: Block, choice: LineChoice): Promise<Run> {
    return this.#run('sortBlock', { block, choice });
  }

  /** *Fails* with the OperatorError that the task met. */
  async auditShard(task: ShardAuditTask, signal: AbortSignal): Promise<ShardAudit> {
    const outcome = await this.#run<Outcome<ShardAudit>>('auditShard', task, signal);
    if (outcome.kind === 'done') return outcome.result;
    const { happened, place, expected, remedy } = outcome.error;
    throw new OperatorError({ happened, place, remedy, ...(expected === null ? {} : { expected }) });
  }

  async close(): Promise<void> {
    await this.#pool.destroy();
  }

  #run<Result>(name: string, task: unknown, signal?: AbortSignal): Promise<Result> {
    return this.#pool.run(task, { name, ...(signal === undefined ? {} : { signal }) }) as Promise<Result>;
  }
}
