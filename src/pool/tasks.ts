/** What the pool's threads can do; runs from built JavaScript. Each task calls one function and nothing else. */
import { move, transferableSymbol, valueSymbol } from 'piscina';
import { OperatorError } from '../failure/operator-error.ts';
import { auditShard as auditOne, type ShardAudit, type ShardAuditTask } from '../audit/shard-audit.ts';
import type { Block, LineChoice } from '../dump/shards/block.ts';
import type { AnalysedThread, ThreadBatch } from '../source/thread-batch.ts';
import { analyseThreads, sortLines } from './work.ts';

/** An error of the operator's as it travels: structured cloning keeps messages only. */
export type Outcome<Result> =
  | { readonly kind: 'done'; readonly result: Result }
  | {
      readonly kind: 'refused';
      readonly error: Pick<OperatorError, 'happened' | 'place' | 'expected' | 'remedy'>;
    };

/** What became of a shard, and the memory its rows were in. */
export interface AuditedShard {
  readonly outcome: Outcome<ShardAudit>;
  readonly memory: ArrayBuffer;
}

/** Analyses a batch of threads. */
export function analyseBatch(batch: ThreadBatch): Promise<readonly AnalysedThread[]> {
  return analyseThreads(batch);
}

/** Sorts the lines of a block; its memory travels back with the result. */
export function sortBlock({ block, choice }: { block: Block; choice: LineChoice }): unknown {
  const sorted = sortLines(block, choice);
  const { rows, offsets } = sorted.run;
  return moved(sorted, [sorted.memory, rows.buffer as ArrayBuffer, offsets.buffer as ArrayBuffer]);
}

/** Analyses a shard and sums it up; the memory of its rows travels back with the result. */
export async function auditShard(task: ShardAuditTask): Promise<unknown> {
  const memory = task.shard.parts.rows.buffer;
  try {
    const result = await auditOne(task);
    return moved({ outcome: { kind: 'done', result }, memory } satisfies AuditedShard, [memory]);
  } catch (error) {
    if (!(error instanceof OperatorError)) throw error;
    const { happened, place, expected, remedy } = error;
    const refused = { kind: 'refused', error: { happened, place, expected, remedy } } as const;
    return moved({ outcome: refused, memory } satisfies AuditedShard, [memory]);
  }
}

/** A result and memory that is sent with it rather than copied. */
function moved(value: object, memory: readonly ArrayBuffer[]): unknown {
  return move({ [transferableSymbol]: memory, [valueSymbol]: value });
}
