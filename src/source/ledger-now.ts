/**
 * The moment that ages are counted to. Easy to get wrong: a dump is as old as its rows, not as the day it is read on; by
 * the reader's clock every run of an old dump would be lost.
 */
import { rowTimeMs } from '#analysis/rows/row-time.ts';
import type { Source } from './source.ts';
import { wantedThreads, type ShardNotes } from './shard-threads.ts';
import { SkippedRows } from './skipped-rows.ts';

/**
 * When the newest checkpoint of a source was made, whichever threads are wanted of it; null when none tells or the
 * source has no parts to look into. *Cost*: decodes every row once.
 */
export function newestRow({ shards }: Source): number | null {
  if (shards === undefined) return null;
  const unheard: ShardNotes = { elsewhere: new Set(), skipped: new SkippedRows() };
  let newest = -Infinity;
  for (const task of shards.tasks()) {
    for (const { rows } of wantedThreads({ ...task, threads: null }, unheard)) {
      for (const row of rows.checkpoints) newest = Math.max(newest, rowTimeMs(row) ?? -Infinity);
    }
  }
  return newest === -Infinity ? null : newest;
}
