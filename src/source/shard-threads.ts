/**
 * The wanted threads of one shard of a dump, the same whether the main thread reads them or a thread of the pool. Easy
 * to get wrong: a thread that another schema holds is not wanted here, yet a log's records of it are not lost.
 */
import type { ThreadRows } from '#analysis/model/checkpoint.ts';
import type { ShardMemory } from '../dump/shards/shard-memory.ts';
import { SecondLook } from '../dump/shards/second-look.ts';
import type { ShardParts } from '../dump/shards/shard-store.ts';
import type { SourceLayout } from '../dump/shards/shard-layout.ts';
import type { ShardThread } from '../dump/shards/shard-thread.ts';
import { shardThreads } from '../dump/shards/shard-threads.ts';
import { completeRows } from './complete-rows.ts';
import type { SkippedRows } from './skipped-rows.ts';

/** One shard and what is wanted of it. Survives structured cloning. */
export interface ShardTask {
  readonly parts: ShardParts;
  readonly layout: SourceLayout;
  /** Indices of the places that are wanted; null: all. */
  readonly places: ReadonlySet<number> | null;
  /** What reports call the schema that the operator chose; null: as the rows do. */
  readonly schema: string | null;
  /** Null: all threads. */
  readonly threads: ReadonlySet<string> | null;
  readonly keepGoing: boolean;
  /** The file in which values that were left out are read again; null: they stay unread. */
  readonly file: string | null;
}

/** What is noted while the threads of shards are read. */
export interface ShardNotes {
  /** Threads of places that are not wanted. */
  readonly elsewhere: Set<string>;
  readonly skipped: SkippedRows;
}

/** A wanted thread, and a way to its rows with every value. */
export interface WantedThread {
  readonly rows: ThreadRows;
  /** The same with the values that were left out; null when there are none or they cannot be had. */
  readonly complete: (() => ThreadRows) | null;
}

/** Every wanted thread of a shard once. `memory`, and how it *fails*: as `shardThreads` says. */
export function* wantedThreads(
  task: ShardTask,
  notes: ShardNotes,
  memory?: ShardMemory,
): Generator<WantedThread> {
  const { parts, layout, places, threads, keepGoing, file } = task;
  let look: SecondLook | null = null;
  const completed = (thread: ShardThread): ThreadRows => {
    look ??= new SecondLook(file ?? '', layout);
    const { rows, damaged } = completeRows(look, thread, file ?? '', layout, keepGoing);
    for (const { table, told } of damaged) {
      notes.skipped.merge({ byTable: new Map([[table, 1]]), examples: [told] });
    }
    return labelled(rows, thread.skipped.length + damaged.length, task);
  };
  try {
    for (const thread of shardThreads(parts, layout, { keepGoing, ...(memory && { memory }) })) {
      for (const skipped of thread.skipped) notes.skipped.add(skipped);
      if (places?.has(thread.place) === false) {
        notes.elsewhere.add(thread.rows.thread);
        continue;
      }
      if (threads?.has(thread.rows.thread) === false) continue;
      const rows = labelled(thread.rows, thread.skipped.length, task);
      const canComplete = file !== null && thread.omitted.length > 0;
      yield { rows, complete: canComplete ? () => completed(thread) : null };
    }
  } finally {
    (look as SecondLook | null)?.close();
  }
}

function labelled(rows: ThreadRows, damagedRows: number, { schema }: ShardTask): ThreadRows {
  if (schema === null && damagedRows === 0) return rows;
  return {
    ...rows,
    schema: rows.schema ?? schema,
    ...(damagedRows === 0 ? {} : { damagedRows }),
  };
}
