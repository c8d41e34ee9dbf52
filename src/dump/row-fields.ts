/**
 * The fields of one row, whatever statement brought them: bytes in Postgres' text form, null for NULL. Easy to get
 * wrong: in COPY data a field is unescaped only when asked for, because most of a dump is columns nobody reads.
 */
import { copyField } from './copy-text.ts';

/** One row. Valid until the next row is loaded; buffers may share memory with the dump's text. */
export interface RowFields {
  readonly count: number;
  /** The field at a position; null for NULL and where the row has no such position. */
  field(position: number): Buffer | null;
}

const tab = 0x09;

/** A line of COPY data. One object serves all rows of a section. */
export class CopyRow implements RowFields {
  #bytes: Buffer = Buffer.alloc(0);
  /** Where each field ends: at a tab or at the end of the line. */
  readonly #ends: number[] = [];
  #start = 0;
  #count = 0;

  get count(): number {
    return this.#count;
  }

  /** Takes the line `bytes[start, end)`, without its line break. */
  load(bytes: Buffer, start: number, end: number): void {
    this.#bytes = bytes;
    this.#start = start;
    this.#count = 0;
    for (let at = start; ;) {
      const next = bytes.indexOf(tab, at);
      const fieldEnd = next < 0 || next > end ? end : next;
      this.#ends[this.#count] = fieldEnd;
      this.#count += 1;
      if (fieldEnd === end) return;
      at = fieldEnd + 1;
    }
  }

  field(position: number): Buffer | null {
    if (position < 0 || position >= this.#count) return null;
    const start = position === 0 ? this.#start : (this.#ends[position - 1] ?? 0) + 1;
    return copyField(this.#bytes, start, this.#ends[position] ?? start);
  }
}

/** A row of an INSERT. */
export class ValuesRow implements RowFields {
  readonly #values: readonly (Buffer | null)[];

  constructor(values: readonly (Buffer | null)[]) {
    this.#values = values;
  }

  get count(): number {
    return this.#values.length;
  }

  field(position: number): Buffer | null {
    return this.#values[position] ?? null;
  }
}
