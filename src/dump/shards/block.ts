/**
 * Whole lines of one table's data on their way from the reader of the text to whoever sorts them into shards. Easy to
 * get wrong: the bytes are shared between threads, so only one of them may look at a block at a time.
 */
import type { TableLayout } from '../table-layout.ts';
import type { RowPlace } from './row-index.ts';

/** Where the lines of a stretch of a block stand in the text; each further line is one line and one row further. */
export interface Stretch extends RowPlace {
  /** Index of the stretch's first line within the block. */
  readonly first: number;
  /** Its lines' values were too long to be read and are empty. */
  readonly isOmitted: boolean;
}

/** Lines of one section. Survives structured cloning. */
export interface Block {
  /** Index into the sections of the source. */
  readonly section: number;
  readonly layout: TableLayout;
  /** The slab that holds the lines, and its number. */
  readonly memory: SharedArrayBuffer;
  readonly slab: number;
  /** Where in the slab the first line begins. Lines stand one behind the other. */
  readonly start: number;
  /** Offset in the slab behind each line's line feed. */
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

/** A block's rows sorted by shard: shard `s` has the rows `[offsets[s], offsets[s + 1])`. */
export interface Run {
  /** See row-index.ts. */
  readonly rows: Uint32Array;
  readonly offsets: Uint32Array;
  /** Rows kept; the others belong to threads that are not wanted. */
  readonly kept: number;
  /** Where in the slab the kept lines end: before the block's own end when values were cut out of them. */
  readonly end: number;
}
