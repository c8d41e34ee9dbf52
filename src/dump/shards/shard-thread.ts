/** One thread of a shard, and what of its rows was left out on the way. */
import type { ThreadRows } from '#analysis/model/checkpoint.ts';
import type { DumpPlace } from '../dump-place.ts';

/** A row whose value was left out. */
export interface OmittedRow {
  /** 0-based offset of its line in the text. */
  readonly byte: number;
  /** Index of its section. */
  readonly section: number;
  /** Its index among the thread's blobs or writes. */
  readonly index: number;
}

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
