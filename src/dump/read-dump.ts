/**
 * A dump, or rows exported as JSON lines, as the rows of one thread at a time, without any other thread's help: for
 * small sources and for whoever wants rows rather than reports.
 */
import type { ThreadRows } from '#analysis/model/checkpoint.ts';
import type { DumpSource } from './open-dump.ts';
import { readShards, type ReadShardsOptions } from './read-shards.ts';
import { shardThreads } from './shards/shard-threads.ts';
import { shardCount } from './shards/thread-hash.ts';

/** How a dump is read. */
export type ReadDumpOptions = Omit<ReadShardsOptions, 'sort' | 'keepGoing'>;

/**
 * Every thread of a dump once. The first comes when the whole dump was read, because its tables stand one after the
 * other. *Cost*: as {@link readShards}. *Fails* as it does.
 */
export async function* readDump(
  source: DumpSource,
  options: ReadDumpOptions = {},
): AsyncGenerator<ThreadRows> {
  const sharded = await readShards(source, options);
  try {
    for (let shard = 0; shard < shardCount; shard += 1) {
      const parts = sharded.parts(shard);
      if (parts === null) continue;
      for (const { rows } of shardThreads(parts, sharded.layout, { keepGoing: false })) yield rows;
    }
  } finally {
    sharded.close();
  }
}
