/**
 * From a record's line of COPY text to the row the analysis reads. Nearly all rows are checkpoints that LangGraph wrote
 * and Postgres printed, and these take a short way; everything else takes the careful one, with the same result.
 */
import { CopyRow } from '../row-fields.ts';
import { RowDecoder, type DecodedRow } from '../row-decoder.ts';
import type { TableLayout } from '../table-layout.ts';
import { RowFault } from '../text-field.ts';

/** Decodes the records of one shard. */
export class RecordDecoder {
  readonly #fields = new CopyRow();
  readonly #rows = new RowDecoder();

  /** The row of the line `bytes[start, end)`. *Fails* with RowFault or DecodeError. */
  decode(bytes: Buffer, start: number, end: number, layout: TableLayout, isOmitted: boolean): DecodedRow {
    this.#fields.load(bytes, start, end);
    if (this.#fields.count !== layout.width) {
      throw new RowFault(`a row has ${this.#fields.count} fields`, {
        expected: `${layout.width} as the columns say`,
      });
    }
    return this.#rows.decode(this.#fields, layout, isOmitted);
  }

  /** The thread a damaged line belongs to, read loosely: it only says whose row was left out. */
  threadOf(bytes: Buffer, start: number, end: number, { at }: TableLayout): string {
    this.#fields.load(bytes, start, end);
    return this.#fields.field(at.thread_id)?.toString('utf8') ?? '';
  }
}
