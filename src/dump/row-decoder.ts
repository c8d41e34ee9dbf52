/**
 * From the fields of one row to the record the analysis reads. Easy to get wrong: a dump has millions of rows, most of
 * them of the same few threads and channels, so nothing is decoded that is not wanted and nothing kept twice.
 */
import type { BlobRow, CheckpointRow, WriteRow } from '#analysis/model/checkpoint.ts';
import { decodeCheckpoint } from '#analysis/rows/decode-checkpoint.ts';
import { decodeBlob, decodeWrite } from '#analysis/rows/decode-tables.ts';
import { byteaBytes } from './bytea.ts';
import type { RowFields } from './row-fields.ts';
import { RepeatedText } from './repeated-text.ts';
import { RowFault, text, textOrNull } from './text-field.ts';
import type { TableLayout } from './table-layout.ts';

/** A row of one of the three tables. */
export type DecodedRow =
  | { readonly table: 'checkpoints'; readonly row: CheckpointRow }
  | { readonly table: 'blobs'; readonly row: BlobRow }
  | { readonly table: 'writes'; readonly row: WriteRow };

/**
 * Decodes the rows of every table of one dump. *Fails* with {@link RowFault}, or with the DecodeError of
 * analysis/rows for JSON of the wrong shape.
 */
export class RowDecoder {
  readonly #threads = new RepeatedText('thread_id');
  readonly #namespaces = new RepeatedText('checkpoint_ns');
  readonly #channels = new RepeatedText('channel');
  readonly #types = new RepeatedText('type');
  readonly #paths = new RepeatedText('task_path');

  /** The row. `isOmitted`: its value stands in the source but was not kept. */
  decode(fields: RowFields, { kind, at, isShallow }: TableLayout, isOmitted = false): DecodedRow {
    const thread = this.#threads.text(fields.field(at.thread_id));
    const namespace = this.#namespaces.text(fields.field(at.checkpoint_ns));
    switch (kind) {
      case 'checkpoints':
        return { table: 'checkpoints', row: checkpointRow(fields, at, isShallow, thread, namespace) };
      case 'blobs':
        return { table: 'blobs', row: this.#blobRow(fields, at, isShallow, isOmitted, thread, namespace) };
      case 'writes':
        return { table: 'writes', row: this.#writeRow(fields, at, isOmitted, thread, namespace) };
    }
  }

  #blobRow(
    fields: RowFields,
    at: Positions,
    isShallow: boolean,
    isOmitted: boolean,
    thread: string,
    namespace: string,
  ): BlobRow {
    const channel = this.#channels.text(fields.field(at.channel));
    return decodeBlob({
      thread_id: thread,
      checkpoint_ns: namespace,
      channel,
      // The shallow saver keeps one version of a channel and does not say which.
      version: isShallow ? '' : text('version', fields.field(at.version)),
      type: this.#types.textOrNull(fields.field(at.type)),
      ...stored(fields.field(at.blob), isOmitted),
    });
  }

  #writeRow(
    fields: RowFields,
    at: Positions,
    isOmitted: boolean,
    thread: string,
    namespace: string,
  ): WriteRow {
    const channel = this.#channels.text(fields.field(at.channel));
    return decodeWrite({
      thread_id: thread,
      checkpoint_ns: namespace,
      checkpoint_id: text('checkpoint_id', fields.field(at.checkpoint_id)),
      task_id: text('task_id', fields.field(at.task_id)),
      idx: text('idx', fields.field(at.idx)),
      channel,
      type: this.#types.textOrNull(fields.field(at.type)),
      task_path: this.#paths.textOrNull(fields.field(at.task_path)),
      ...stored(fields.field(at.blob), isOmitted),
    });
  }
}

function stored(
  field: Buffer | null,
  isOmitted: boolean,
): { readonly blob: Buffer | null; readonly omitted: boolean } {
  if (field === null) return { blob: null, omitted: false };
  if (isOmitted) return { blob: null, omitted: true };
  const blob = byteaBytes(field);
  if (blob === null) throw new RowFault('the column blob is no bytea');
  return { blob, omitted: false };
}

type Positions = TableLayout['at'];

/** The shallow saver has no id column: the id is inside the row's own JSON. */
function checkpointRow(
  fields: RowFields,
  at: Positions,
  isShallow: boolean,
  thread: string,
  namespace: string,
): CheckpointRow {
  const checkpoint = jsonOf('checkpoint', fields.field(at.checkpoint));
  return decodeCheckpoint({
    thread_id: thread,
    checkpoint_ns: namespace,
    checkpoint_id: isShallow ? idInside(checkpoint) : text('checkpoint_id', fields.field(at.checkpoint_id)),
    parent_checkpoint_id: textOrNull('parent_checkpoint_id', fields.field(at.parent_checkpoint_id)),
    checkpoint,
    metadata: jsonOf('metadata', fields.field(at.metadata)),
  });
}

function idInside(checkpoint: unknown): string {
  const id =
    typeof checkpoint === 'object' && checkpoint !== null ? (checkpoint as { id?: unknown }).id : null;
  if (typeof id !== 'string') throw new RowFault('the column checkpoint holds no text under the key id');
  return id;
}

function jsonOf(column: string, field: Buffer | null): unknown {
  const source = text(column, field);
  try {
    return JSON.parse(source) as unknown;
  } catch (cause) {
    throw new RowFault(`the column ${column} is no JSON`, { cause });
  }
}
