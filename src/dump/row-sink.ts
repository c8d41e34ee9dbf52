/** Where the rows of a text go while it is read: whole lines of COPY text, whatever statement or format brought them. */
import type { DumpSection } from './dump-tables.ts';

/** Where a line stands in the text. */
export interface LinePlace {
  /** 0-based offset of the line's first byte. */
  readonly byte: number;
  /** 1-based. */
  readonly line: number;
  /** 1-based within the section. */
  readonly row: number;
}

/** Takes rows. */
export interface RowSink {
  /** The source holds the data of this section's table, if only no rows. */
  announce(section: DumpSection): void;
  /**
   * Lines of a section that stand one behind the other: the first begins at `start`, each ends behind its line feed
   * at `ends`. `place` is the first line's. Bytes and ends may be used again after the call.
   */
  lines(section: DumpSection, bytes: Buffer, start: number, ends: Uint32Array, place: LinePlace): void;
  /** One line whose value was not read because it is too long; its field holds an empty bytea. */
  longLine(section: DumpSection, line: Buffer, place: LinePlace): void;
}

/** Takes nothing: for texts that are read for their definitions only. */
export const noRows: RowSink = {
  announce: () => undefined,
  lines: () => undefined,
  longLine: () => undefined,
};
