/**
 * The threads of one shard, one after the other. Rows are sorted by their thread's hash before any is decoded, so that
 * only one thread is in memory as objects, whatever the size of the shard. Easy to get wrong: two threads may share a
 * hash, and two schemas a thread id.
 */
import { readSync } from 'node:fs';
import { DecodeError } from '#analysis/rows/decode-error.ts';
import type { ThreadRows } from '#analysis/model/checkpoint.ts';
import { dumpError, type DumpPlace } from '../dump-place.ts';
import { RowFault } from '../text-field.ts';
import { headerBytes, isOmitted, recordHash, recordLength, recordPlace, recordSection } from './record.ts';
import { RecordDecoder } from './record-decoder.ts';
import type { ShardPart } from './run-store.ts';
import type { OmittedRow } from './second-look.ts';
import type { SourceLayout } from './shard-layout.ts';
import { ThreadCollector } from './thread-collector.ts';

/** A row that could not be decoded, left out because the operator asked to go on. */
export interface SkippedRow {
  readonly place: DumpPlace;
  readonly reason: string;
}

/** One thread and the rows of it that were left out. */
export interface ShardThread {
  readonly rows: ThreadRows;
  /** Index of the tables' place. */
  readonly place: number;
  readonly skipped: readonly SkippedRow[];
  /** Rows whose value was left out. */
  readonly omitted: readonly OmittedRow[];
}

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
  parts: readonly ShardPart[],
  layout: SourceLayout,
  { keepGoing }: ShardReading,
): Generator<ShardThread> {
  const records = new Records(parts);
  const decoder = new RecordDecoder();
  for (let from = 0; from < records.count;) {
    const to = records.groupEnd(from);
    const group = new ThreadCollector(layout);
    for (let index = from; index < to; index += 1) {
      const { bytes, view, at } = records.record(index);
      const number = recordSection(view, at);
      const section = layout.sections[number];
      if (section === undefined) continue;
      const omitted = isOmitted(view, at);
      const start = at + headerBytes;
      try {
        const row = decoder.decode(bytes, start, start + recordLength(view, at), section.layout, omitted);
        group.add(section.place, row, omitted ? { byte: recordPlace(view, at).byte, section: number } : null);
      } catch (error) {
        if (!(error instanceof RowFault) && !(error instanceof DecodeError)) throw error;
        const place = { source: layout.source, table: section.name, ...recordPlace(view, at) };
        if (!keepGoing) {
          throw rowError(place, error);
        }
        const thread = decoder.threadOf(bytes, start, start + recordLength(view, at), section.layout);
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

/** The records of a shard, sorted by hash; those of one hash in the order of the text. */
class Records {
  readonly #pieces: { readonly bytes: Buffer; readonly view: DataView }[];
  /** Hash without the shard's own bits, times 2^29, plus the record's number: exact up to 2^53. */
  readonly #keys: Float64Array;
  readonly #pieceOf: Uint32Array;
  readonly #at: Uint32Array;
  readonly count: number;

  constructor(parts: readonly ShardPart[]) {
    this.#pieces = parts.map((part) => {
      const bytes = bytesOf(part);
      return { bytes, view: new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength) };
    });
    let count = 0;
    for (const { view } of this.#pieces) {
      for (let at = 0; at < view.byteLength; at += headerBytes + recordLength(view, at)) count += 1;
    }
    this.count = count;
    this.#keys = new Float64Array(count);
    this.#pieceOf = new Uint32Array(count);
    this.#at = new Uint32Array(count);
    let index = 0;
    for (const [piece, { view }] of this.#pieces.entries()) {
      for (let at = 0; at < view.byteLength; at += headerBytes + recordLength(view, at)) {
        this.#keys[index] = (recordHash(view, at) & 0xffffff) * numbersOfOneHash + index;
        this.#pieceOf[index] = piece;
        this.#at[index] = at;
        index += 1;
      }
    }
    this.#keys.sort();
  }

  /** The end of the group of records with the hash of the record at `from`. */
  groupEnd(from: number): number {
    const hash = Math.floor((this.#keys[from] ?? 0) / numbersOfOneHash);
    const beyond = (hash + 1) * numbersOfOneHash;
    let to = from + 1;
    while (to < this.count && (this.#keys[to] ?? 0) < beyond) to += 1;
    return to;
  }

  record(index: number): { readonly bytes: Buffer; readonly view: DataView; readonly at: number } {
    const number = (this.#keys[index] ?? 0) % numbersOfOneHash;
    const piece = this.#pieces[this.#pieceOf[number] ?? 0];
    if (piece === undefined) throw new RangeError(`no record ${index}`);
    return { ...piece, at: this.#at[number] ?? 0 };
  }
}

const numbersOfOneHash = 2 ** 29;

function bytesOf(part: ShardPart): Buffer {
  if (part.kind === 'memory') {
    const { bytes, start, end } = part;
    return Buffer.from(bytes.buffer, bytes.byteOffset + start, end - start);
  }
  const bytes = Buffer.allocUnsafeSlow(part.length);
  for (let done = 0; done < part.length;) {
    const read = readSync(part.descriptor, bytes, done, part.length - done, part.offset + done);
    if (read === 0) throw new RangeError('the temporary file is shorter than what was written to it');
    done += read;
  }
  return bytes;
}
