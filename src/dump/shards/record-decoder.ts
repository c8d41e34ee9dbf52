/**
 * From a record to the row the analysis reads. Nearly all checkpoints come packed; everything else is a line of COPY
 * text and takes the careful way, with the same result.
 */
import { CopyRow } from '../row-fields.ts';
import { RowDecoder, type DecodedRow } from '../row-decoder.ts';
import type { TableLayout } from '../table-layout.ts';
import { RowFault } from '../text-field.ts';
import { dictionaryAt, formAt, forms, headerWords, isOmittedAt, textBytesAt } from './record.ts';
import type { ShardParts } from './shard-store.ts';
import { PackedText } from './packed-text.ts';
import { CheckpointUnpacker } from './unpack-checkpoint.ts';
import { RowUnpacker } from './unpack-row.ts';
import { WholeRows } from './whole-rows.ts';

/** Decodes the records of one shard. */
export class RecordDecoder {
  readonly #fields = new CopyRow();
  readonly #rows = new RowDecoder();
  readonly #text = new PackedText();
  readonly #checkpoints = new CheckpointUnpacker(this.#text);
  readonly #others = new RowUnpacker(this.#text);
  readonly #dictionaries: ShardParts['dictionaries'];
  #words: Uint32Array = new Uint32Array(0);
  #bytes: Buffer = Buffer.alloc(0);
  /** Packed rows of one thread, whole: each may be the base of the next. */
  readonly #whole = new WholeRows();

  constructor(dictionaries: ShardParts['dictionaries']) {
    this.#dictionaries = dictionaries;
  }

  /** Takes the memory that the records lie in. */
  load(words: Uint32Array): void {
    this.#words = words;
    this.#bytes = Buffer.from(words.buffer, words.byteOffset, words.byteLength);
  }

  /** Forgets what rows of one thread share; to be called between groups of one hash. */
  forget(): void {
    this.#checkpoints.forget();
    this.#whole.forget();
    this.#text.forget();
  }

  /**
   * The row of the record at a word; records of one hash are to be decoded in the order of the text. *Fails* with
   * RowFault or DecodeError.
   */
  decode(at: number, section: number, layout: TableLayout): DecodedRow {
    if (formAt(this.#words, at) === forms.text) {
      this.#loadLine(at);
      return this.#decoded(layout, isOmittedAt(this.#words, at));
    }
    const body = this.#whole.row(this.#words, at, section);
    this.#text.load(this.#whole.words);
    const names = this.#dictionaries.get(dictionaryAt(this.#words, at)) ?? [];
    if (layout.kind === 'checkpoints') {
      return { table: 'checkpoints', row: this.#checkpoints.read(body, names) };
    }
    return layout.kind === 'blobs'
      ? { table: 'blobs', row: this.#others.blob(body, names) }
      : { table: 'writes', row: this.#others.write(body, names, layout.at.task_path >= 0) };
  }

  /** The row of a line of text that is not in a record. */
  decodeLine(line: Buffer, layout: TableLayout): DecodedRow {
    this.#fields.load(line, 0, line.length);
    return this.#decoded(layout, false);
  }

  /** The thread a damaged record belongs to, read loosely: it only says whose row was left out. */
  threadOf(at: number, section: number, { at: columns }: TableLayout): string {
    if (formAt(this.#words, at) === forms.text) {
      this.#loadLine(at);
      return this.#fields.field(columns.thread_id)?.toString('utf8') ?? '';
    }
    // Every packed row begins with its thread.
    this.#text.at = this.#whole.last(section);
    return this.#text.repeated();
  }

  #loadLine(at: number): void {
    const start = 4 * (at + headerWords);
    this.#fields.load(this.#bytes, start, start + textBytesAt(this.#words, at));
  }

  #decoded(layout: TableLayout, isOmitted: boolean): DecodedRow {
    if (this.#fields.count !== layout.width) {
      throw new RowFault(`a row has ${this.#fields.count} fields`, {
        expected: `${layout.width} as the columns say`,
      });
    }
    return this.#rows.decode(this.#fields, layout, isOmitted);
  }
}
