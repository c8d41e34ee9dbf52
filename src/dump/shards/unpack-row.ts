/** A packed row of blobs or writes as the record that decoding its text would have given. */
import type { BlobRow, WriteRow } from '#analysis/model/checkpoint.ts';
import { decodeBlob, decodeWrite } from '#analysis/rows/decode-tables.ts';
import { byteaBytes } from '../bytea.ts';
import { copyField } from '../copy-text.ts';
import { RowFault } from '../text-field.ts';
import { valueKinds } from './pack-row.ts';
import type { PackedText } from './packed-text.ts';

/** Unpacks the rows of one shard. */
export class RowUnpacker {
  readonly #packed: PackedText;

  constructor(packed: PackedText) {
    this.#packed = packed;
  }

  /** The blob at a word. *Fails* with RowFault for a value that is no bytea. */
  blob(at: number, names: readonly string[]): BlobRow {
    const packed = this.#packed;
    packed.at = at;
    return decodeBlob({
      thread_id: packed.repeated(),
      checkpoint_ns: packed.text(),
      channel: this.#name(names) ?? '',
      version: packed.text(),
      type: this.#name(names),
      ...this.#value(),
    });
  }

  /** The write at a word. *Fails* with RowFault for a value that is no bytea, with DecodeError for an odd `idx`. */
  write(at: number, names: readonly string[], hasPath: boolean): WriteRow {
    const packed = this.#packed;
    packed.at = at;
    const thread = packed.repeated();
    const namespace = packed.text();
    const checkpoint = packed.recent() ?? '';
    return decodeWrite({
      thread_id: thread,
      checkpoint_ns: namespace,
      checkpoint_id: checkpoint,
      task_id: packed.text(),
      idx: packed.text(),
      channel: this.#name(names) ?? '',
      type: this.#name(names),
      ...this.#value(),
      task_path: hasPath ? this.#name(names) : null,
    });
  }

  #name(names: readonly string[]): string | null {
    const number = this.#packed.number();
    return number === 0 ? null : (names[number - 1] ?? '');
  }

  #value(): { readonly blob: Uint8Array | null; readonly omitted: boolean } {
    const kind = this.#packed.number();
    if (kind === valueKinds.null) return { blob: null, omitted: false };
    if (kind === valueKinds.omitted) return { blob: null, omitted: true };
    const raw = this.#packed.bytes();
    const field = copyField(raw, 0, raw.length);
    const blob = field === null ? null : byteaBytes(field);
    if (blob === null) throw new RowFault('the column blob is no bytea');
    return { blob, omitted: false };
  }
}
