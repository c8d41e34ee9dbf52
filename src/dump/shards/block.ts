/**
 * Whole lines of tables' data on their way from the reader of the text to whoever sorts them into shards. A block
 * travels with its memory: who sends it cannot look at it any more.
 */
import type { TableLayout } from '../table-layout.ts';

/** Where the lines of a stretch stand in the text; each further line is one line and one row further. */
export interface Stretch {
  /** Index of the stretch's first line within its region. */
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

/** Lines of one section that stand one behind the other. */
export interface Region {
  /** Index into the sections of the source. */
  readonly section: number;
  readonly layout: TableLayout;
  /** Where the first line begins. */
  readonly start: number;
  /** Offset behind each line's line feed. */
  readonly ends: Uint32Array;
  readonly stretches: readonly Stretch[];
}

/** A chunk of memory and the regions in it. Survives structured cloning. */
export interface Block {
  readonly memory: ArrayBuffer;
  readonly regions: readonly Region[];
}

/** What of the lines is not kept; plain data, so that it can be sent along. */
export interface LineChoice {
  /** Tells sources apart that one thread sorts for. */
  readonly source: number;
  /** Null: all threads. */
  readonly threads: ReadonlySet<string> | null;
  /** Lines up to this length keep their value although the analysis seldom reads it; 0 where it can be read again. */
  readonly keptValueBytes: number;
}

/** A block's rows sorted by shard: shard `s` is `rows[offsets[s], offsets[s + 1])`, a chain of records (record.ts). */
export interface Run {
  readonly rows: Uint32Array;
  readonly offsets: Uint32Array;
  /** Rows kept of each region; the others belong to threads that are not wanted. */
  readonly kept: readonly number[];
  /** Which dictionary the rows' names are in, and the names it got since the last run, from number `first` on. */
  readonly dictionary: number;
  readonly first: number;
  readonly names: readonly string[];
}

/** A sorted block: its run, and its memory to be used again. */
export interface SortedBlock {
  readonly run: Run;
  readonly memory: ArrayBuffer;
}
