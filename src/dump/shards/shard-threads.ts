/**
 * The threads of one shard, one after the other. Rows are sorted by their thread's hash before any is decoded, so that
 * only one thread is in memory as objects, whatever the size of the shard. Easy to get wrong: two threads may share a
 * hash, and two schemas a thread id.
 */
import { DecodeError } from '#analysis/rows/decode-error.ts';
import { RowFault } from '../text-field.ts';
import { isOmittedAt, placeAt, sectionAt } from './record.ts';
import { rowError } from './row-error.ts';
import type { ShardMemory } from './shard-memory.ts';
import { RecordDecoder } from './record-decoder.ts';
import type { ShardParts } from './shard-store.ts';
import { SortedRows } from './sorted-rows.ts';
import type { ShardThread } from './shard-thread.ts';
import type { SourceLayout } from './shard-layout.ts';
import { ThreadCollector } from './thread-collector.ts';

/** How a shard is read. */
export interface ShardReading {
  /** Leave rows out that cannot be decoded; otherwise the first of them ends the reading. */
  readonly keepGoing: boolean;
  /** Rows of a thread are valid until the next is asked for, and their memory is used again; absent: they stay valid. */
  readonly memory?: ShardMemory;
}

/**
 * Every thread of a shard once, by rising hash, so in an order that no setting changes. *Cost*: the shard's bytes and
 * one thread's objects in memory. *Fails* with OperatorError for a row that cannot be decoded, unless it keeps going.
 */
export function* shardThreads(
  parts: ShardParts,
  layout: SourceLayout,
  { keepGoing, memory }: ShardReading,
): Generator<ShardThread> {
  const sorted = new SortedRows(parts, memory ?? null);
  try {
    yield* threadsOf(sorted, parts, layout, keepGoing);
  } finally {
    sorted.close();
  }
}

function* threadsOf(
  sorted: SortedRows,
  { dictionaries }: Pick<ShardParts, 'dictionaries'>,
  layout: SourceLayout,
  keepGoing: boolean,
): Generator<ShardThread> {
  const { words } = sorted;
  const decoder = new RecordDecoder(dictionaries);
  decoder.load(words);
  for (let from = 0; from < sorted.count;) {
    const to = sorted.groupEnd(from);
    const group = new ThreadCollector(layout);
    for (let position = from; position < to; position += 1) {
      const at = sorted.at(position);
      const number = sectionAt(words, at);
      const section = layout.sections[number];
      if (section === undefined) continue;
      try {
        const row = decoder.decode(at, number, section.layout);
        const omitted = isOmittedAt(words, at) ? { byte: placeAt(words, at).byte, section: number } : null;
        group.add(section.place, row, omitted);
      } catch (error) {
        if (!(error instanceof RowFault) && !(error instanceof DecodeError)) throw error;
        const place = { source: layout.source, table: section.name, ...placeAt(words, at) };
        if (!keepGoing) throw rowError(place, error);
        const reason = error.message;
        group.skip(section.place, decoder.threadOf(at, number, section.layout), { place, reason });
      }
    }
    decoder.forget();
    yield* group.threads();
    from = to;
  }
}
