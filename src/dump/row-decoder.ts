/**
 * From the fields of one row to the record the analysis reads. Easy to get wrong: text columns hold UTF-8 that nobody
 * has checked, and decoding it loosely would make two different thread ids equal.
 */
import { isAscii, isUtf8 } from 'node:buffer';
import type { BlobRow, CheckpointRow, WriteRow } from '#analysis/model/checkpoint.ts';
import { decodeCheckpoint } from '#analysis/rows/decode-checkpoint.ts';
import { decodeBlob, decodeWrite } from '#analysis/rows/decode-tables.ts';
import { byteaBytes } from './bytea.ts';
import type { RowFields } from './row-fields.ts';
import type { TableLayout } from './table-layout.ts';

/** A row of one of the three tables. */
export type DecodedRow =
  | { readonly table: 'checkpoints'; readonly row: CheckpointRow }
  | { readonly table: 'blobs'; readonly row: BlobRow }
  | { readonly table: 'writes'; readonly row: WriteRow };

/** What a reader need not keep. */
export interface RowChoice {
  /** False for a thread whose rows are not wanted. All are, when absent. */
  readonly wantsThread?: (thread: string) => boolean;
  /** False for a channel whose values are not wanted; their rows are kept as `omitted`. All are, when absent. */
  readonly wantsValue?: (channel: string) => boolean;
}

/** A field that is not what its column holds. Its message is a clause that names the column. */
export class RowFault extends Error {
  override readonly name = 'RowFault';
}

/**
 * Decodes the rows of every table of one dump. *Fails* with {@link RowFault}, or with the DecodeError of
 * analysis/rows for JSON of the wrong shape.
 */
export class RowDecoder {
  readonly #choice: RowChoice;
  /** Thread ids, namespaces, channels and tags repeat in every row; one string each is kept. */
  readonly #known = new Map<string, string>();

  constructor(choice: RowChoice) {
    this.#choice = choice;
  }

  /** The row, or null when its thread is not wanted. */
  decode(fields: RowFields, layout: TableLayout): DecodedRow | null {
    const column = (name: string): Buffer | null => fields.field(layout.position(name));
    const thread = this.#same(text('thread_id', column('thread_id')));
    if (this.#choice.wantsThread?.(thread) === false) return null;
    const namespace = this.#same(text('checkpoint_ns', column('checkpoint_ns')));
    const row = { thread_id: thread, checkpoint_ns: namespace };
    switch (layout.kind) {
      case 'checkpoints':
        return {
          table: 'checkpoints',
          row: decodeCheckpoint({ ...row, ...checkpointColumns(column, layout) }),
        };
      case 'blobs': {
        // The shallow saver keeps one version of a channel and does not say which.
        const version = layout.isShallow ? '' : text('version', column('version'));
        return { table: 'blobs', row: decodeBlob({ ...row, version, ...this.#value(column) }) };
      }
      case 'writes': {
        const write = {
          ...row,
          checkpoint_id: text('checkpoint_id', column('checkpoint_id')),
          task_id: text('task_id', column('task_id')),
          idx: text('idx', column('idx')),
          task_path: this.#sameOrNull(textOrNull('task_path', column('task_path'))),
          ...this.#value(column),
        };
        return { table: 'writes', row: decodeWrite(write) };
      }
    }
  }

  #value(column: (name: string) => Buffer | null): StoredColumns {
    const channel = this.#same(text('channel', column('channel')));
    const type = this.#sameOrNull(textOrNull('type', column('type')));
    const stored = column('blob');
    if (stored === null) return { channel, type, blob: null };
    if (this.#choice.wantsValue?.(channel) === false) return { channel, type, blob: null, omitted: true };
    const blob = byteaBytes(stored);
    if (blob === null) throw new RowFault('the column blob is no bytea');
    return { channel, type, blob };
  }

  #same(value: string): string {
    const known = this.#known.get(value);
    if (known !== undefined) return known;
    this.#known.set(value, value);
    return value;
  }

  #sameOrNull(value: string | null): string | null {
    return value === null ? null : this.#same(value);
  }
}

interface StoredColumns {
  readonly channel: string;
  readonly type: string | null;
  readonly blob: Uint8Array | null;
  readonly omitted?: true;
}

/** The shallow saver has no id column: the id is inside the row's own JSON. */
function checkpointColumns(
  column: (name: string) => Buffer | null,
  layout: TableLayout,
): { checkpoint_id: string; parent_checkpoint_id: string | null; checkpoint: unknown; metadata: unknown } {
  const checkpoint = jsonOf('checkpoint', column('checkpoint'));
  const id = layout.isShallow ? idInside(checkpoint) : text('checkpoint_id', column('checkpoint_id'));
  return {
    checkpoint_id: id,
    parent_checkpoint_id: textOrNull('parent_checkpoint_id', column('parent_checkpoint_id')),
    checkpoint,
    metadata: jsonOf('metadata', column('metadata')),
  };
}

function idInside(checkpoint: unknown): string {
  const id =
    typeof checkpoint === 'object' && checkpoint !== null ? (checkpoint as { id?: unknown }).id : null;
  if (typeof id !== 'string') throw new RowFault('the column checkpoint holds no text under the key id');
  return id;
}

function text(column: string, field: Buffer | null): string {
  if (field === null) throw new RowFault(`the column ${column} is NULL`);
  if (isAscii(field)) return field.toString('latin1');
  if (!isUtf8(field)) throw new RowFault(`the column ${column} is not UTF-8`);
  return field.toString('utf8');
}

function textOrNull(column: string, field: Buffer | null): string | null {
  return field === null ? null : text(column, field);
}

function jsonOf(column: string, field: Buffer | null): unknown {
  const source = text(column, field);
  try {
    return JSON.parse(source) as unknown;
  } catch (cause) {
    throw new RowFault(`the column ${column} is no JSON`, { cause });
  }
}
