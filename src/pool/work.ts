/**
 * What a pool does, wherever it does it. Easy to get wrong: a thread that sorts keeps one sorter for each source,
 * because rows name what they hold by numbers of that sorter's dictionary.
 */
import { threadId } from 'node:worker_threads';
import { outcomesOf } from '#analysis/analyse.ts';
import { analyserFor } from '../audit/prepared-analyser.ts';
import type { Block, LineChoice, SortedBlock } from '../dump/shards/block.ts';
import { BlockSorter } from '../dump/shards/sort-block.ts';
import type { AnalysedThread, ThreadBatch } from '../source/thread-batch.ts';

/** Analyses a batch of threads, in its order. */
export async function analyseThreads(batch: ThreadBatch): Promise<readonly AnalysedThread[]> {
  const analyse = await analyserFor(batch.options);
  const results: AnalysedThread[] = [];
  for (const evidence of batch.evidence) {
    const report = await analyse(evidence);
    results.push({ report, outcomes: outcomesOf(report, evidence) });
  }
  return results;
}

let sorter: { readonly source: number; readonly sorter: BlockSorter } | null = null;

/** Sorts the lines of a block with the sorter that this thread keeps for the source. */
export function sortLines(block: Block, choice: LineChoice): SortedBlock {
  if (sorter?.source !== choice.source) sorter = { source: choice.source, sorter: new BlockSorter(threadId) };
  return sorter.sorter.sort(block, choice);
}
