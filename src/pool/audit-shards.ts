/**
 * Audits the shards of a source on several cores and gives the results back in the order of the shards, so that a
 * report does not depend on how many cores a machine has.
 */
import type { AnalysisOptions } from '#analysis/model/evidence.ts';
import type { ShardAudit, ShardAuditTask } from '../audit/shard-audit.ts';
import type { SourceShards } from '../source/source.ts';
import type { WorkPool } from './work-pool.ts';

/** Every shard's result, in order. At most twice as many shards as threads are on their way at once. */
export async function* auditShards(
  { tasks, reuse }: Pick<SourceShards, 'tasks' | 'reuse'>,
  options: AnalysisOptions,
  reports: ShardAuditTask['reports'],
  pool: WorkPool,
  signal: AbortSignal,
): AsyncGenerator<ShardAudit> {
  const running: Promise<ShardAudit>[] = [];
  for (const shard of tasks()) {
    const task = pool.auditShard({ shard, options, reports }, signal, reuse);
    // A later shard may fail while an earlier one is awaited; it is reported when its turn comes.
    task.catch(() => undefined);
    running.push(task);
    if (running.length < 2 * pool.threads) continue;
    const next = await running.shift();
    if (next !== undefined) yield next;
  }
  for (const task of running) yield await task;
}
