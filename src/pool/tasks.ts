/** What the pool's threads can do; runs from built JavaScript. Each task calls one function and nothing else. */
import { outcomesOf } from '#analysis/analyse.ts';
import { prepareAnalysis, type Analyser } from '#analysis/prepare.ts';
import type { AnalysisOptions } from '#analysis/model/evidence.ts';
import { OperatorError } from '../failure/operator-error.ts';
import { auditShard as auditOne, type ShardAudit, type ShardAuditTask } from '../audit/shard-audit.ts';
import type { Block, LineChoice, Run } from '../dump/shards/block.ts';
import { sortBlock as sortOne } from '../dump/shards/sort-block.ts';
import type { AnalysedThread, ThreadBatch } from '../source/thread-batch.ts';

/** An error of the operator's as it travels: structured cloning keeps messages only. */
export type Outcome<Result> =
  | { readonly kind: 'done'; readonly result: Result }
  | {
      readonly kind: 'refused';
      readonly error: Pick<OperatorError, 'happened' | 'place' | 'expected' | 'remedy'>;
    };

/** Loading hashes and solver costs tens of milliseconds; all batches of a source ask with the same options. */
let prepared: { readonly key: string; readonly analyser: Promise<Analyser> } | null = null;

/** Analyses a batch of threads. */
export async function analyseBatch(batch: ThreadBatch): Promise<readonly AnalysedThread[]> {
  const analyse = await analyserFor(batch.options);
  const results: AnalysedThread[] = [];
  for (const evidence of batch.evidence) {
    const report = await analyse(evidence);
    results.push({ report, outcomes: outcomesOf(report, evidence) });
  }
  return results;
}

/** Sorts the lines of a block, which stay in the memory that all threads see. */
export function sortBlock({ block, choice }: { block: Block; choice: LineChoice }): Run {
  return sortOne(block, choice);
}

/** Analyses a shard and sums it up. */
export async function auditShard(task: ShardAuditTask): Promise<Outcome<ShardAudit>> {
  try {
    return { kind: 'done', result: await auditOne(task) };
  } catch (error) {
    if (!(error instanceof OperatorError)) throw error;
    const { happened, place, expected, remedy } = error;
    return { kind: 'refused', error: { happened, place, expected, remedy } };
  }
}

function analyserFor(options: AnalysisOptions): Promise<Analyser> {
  const key = JSON.stringify(options);
  if (prepared?.key !== key) prepared = { key, analyser: prepareAnalysis(options) };
  return prepared.analyser;
}
