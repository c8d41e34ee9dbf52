/**
 * Whole lines of one table's data on their way from the reader of the text to whoever sorts them into shards. Easy to
 * get wrong: the bytes are shared between threads, so a block is only filled again after its lines were sorted.
 */
import type { TableLayout } from '../table-layout.ts';

/** Where the lines of a stretch of a block stand in the text; each further line is one line and one row further. */
export interface Stretch {
  /** Index of the stretch's first line within the block. */
  readonly first: number;
  /** 0-based offset of that line's first byte in the text. */
  readonly byte: number;
  /** 1-based. */
  readonly line: number;
  /** 1-based within the table's section. */
  readonly row: number;
  /** Its lines' values were too long to be read and are empty. */
  readonly isOmitted: boolean;
}

/** Lines of one section. Survives structured cloning; `bytes` and `ends` may be shared memory. */
export interface Block {
  /** Index into the sections of the source. */
  readonly section: number;
  readonly layout: TableLayout;
  readonly bytes: Uint8Array;
  /** Where the first line begins. */
  readonly start: number;
  /** Offset behind each line's line feed. Lines stand one behind the other. */
  readonly ends: Uint32Array;
  readonly stretches: readonly Stretch[];
}

/** What of the lines is not kept; plain data, so that it can be sent along. */
export interface LineChoice {
  /** Null: all threads. */
  readonly threads: ReadonlySet<string> | null;
  /** Lines up to this length keep their value although the analysis seldom reads it; 0 where it can be read again. */
  readonly keptValueBytes: number;
}

/** Lines sorted by shard: shard `s` is `bytes[offsets[s], offsets[s + 1])`, a chain of records. */
export interface Run {
  readonly bytes: Uint8Array;
  readonly offsets: Float64Array;
  /** Rows kept and rows seen; the others belong to threads that are not wanted. */
  readonly kept: number;
  readonly seen: number;
}
