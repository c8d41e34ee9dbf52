/**
 * The threads of one shard, one after the other. Rows are sorted by their thread's hash before any is decoded, so that
 * only one thread is in memory as objects, whatever the size of the shard. Easy to get wrong: two threads may share a
 * hash, and two schemas a thread id.
 */
import { DecodeError } from '#analysis/rows/decode-error.ts';
import { dumpError, type DumpPlace } from '../dump-place.ts';
import { RowFault } from '../text-field.ts';
import { isOmittedAt, lengthAt, offsetAt, placeAt, sectionAt, slabAt } from './row-index.ts';
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
}

/**
 * Every thread of a shard once, by rising hash, so in an order that no setting changes. *Cost*: the shard's bytes and
 * one thread's objects in memory. *Fails* with OperatorError for a row that cannot be decoded, unless it keeps going.
 */
export function* shardThreads(
  parts: ShardParts,
  layout: SourceLayout,
  { keepGoing }: ShardReading,
): Generator<ShardThread> {
  const sorted = new SortedRows(parts);
  const { rows } = sorted;
  const decoder = new RecordDecoder();
  for (let from = 0; from < sorted.count;) {
    const to = sorted.groupEnd(from);
    const group = new ThreadCollector(layout);
    for (let position = from; position < to; position += 1) {
      const index = sorted.indexAt(position);
      const number = sectionAt(rows, index);
      const section = layout.sections[number];
      if (section === undefined) continue;
      const isOmitted = isOmittedAt(rows, index);
      const bytes = sorted.slab(slabAt(rows, index));
      const start = offsetAt(rows, index);
      const end = start + lengthAt(rows, index);
      try {
        const row = decoder.decode(bytes, start, end, section.layout, isOmitted);
        group.add(
          section.place,
          row,
          isOmitted ? { byte: placeAt(rows, index).byte, section: number } : null,
        );
      } catch (error) {
        if (!(error instanceof RowFault) && !(error instanceof DecodeError)) throw error;
        const place = { source: layout.source, table: section.name, ...placeAt(rows, index) };
        if (!keepGoing) throw rowError(place, error);
        const thread = decoder.threadOf(bytes, start, end, section.layout);
        group.skip(section.place, thread, { place, reason: error.message });
      }
    }
    yield* group.threads();
    from = to;
  }
}

function rowError(place: DumpPlace, error: RowFault | DecodeError): Error {
  const expected = error instanceof RowFault ? error.expected : null;
  const fault = { happened: error.message, remedy: damagedRow, cause: error };
  return dumpError(place, expected === null ? fault : { ...fault, expected });
}

const damagedRow =
  'The row is damaged or not LangGraph’s; make the dump again with pg_dump --encoding=UTF8, delete the row, or pass --keep-going to leave it out and call the verdict unknown.';
