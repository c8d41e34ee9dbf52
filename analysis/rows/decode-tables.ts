/**
 * Rows of `checkpoint_blobs` and `checkpoint_writes` from their columns. Two columns may be absent from a real table
 * (`task_path`, and `version` with the shallow saver); a source leaves them out and gets null.
 */
import type { BlobRow, StoredValue, WriteRow } from '#analysis/model/checkpoint.ts';
import type { ChannelName, CheckpointId, Namespace, TaskId, ThreadId } from '#analysis/model/identifiers.ts';
import { integer } from './decode-fields.ts';

/** The columns of one blob. */
export interface RawBlob {
  readonly thread_id: string;
  readonly checkpoint_ns: string;
  readonly channel: string;
  readonly version: string;
  readonly type: string | null;
  readonly blob: Uint8Array | null;
  /** True when the source has bytes that the reader skipped. */
  readonly omitted?: boolean;
}

/** The columns of one write. */
export interface RawWrite {
  readonly thread_id: string;
  readonly checkpoint_ns: string;
  readonly checkpoint_id: string;
  readonly task_id: string;
  readonly idx: number | string;
  readonly channel: string;
  readonly type: string | null;
  readonly blob: Uint8Array | null;
  readonly task_path?: string | null;
  readonly omitted?: boolean;
}

/** Decodes one blob row; nothing in it can be wrong but its text, which is opaque. */
export function decodeBlob(raw: RawBlob): BlobRow {
  return {
    thread: raw.thread_id as ThreadId,
    namespace: raw.checkpoint_ns as Namespace,
    channel: raw.channel as ChannelName,
    version: raw.version,
    value: stored(raw),
  };
}

/** Decodes one write row. Fails: DecodeError when `idx` is no integer. */
export function decodeWrite(raw: RawWrite): WriteRow {
  const index = typeof raw.idx === 'string' && raw.idx !== '' ? Number(raw.idx) : raw.idx;
  return {
    thread: raw.thread_id as ThreadId,
    namespace: raw.checkpoint_ns as Namespace,
    checkpoint: raw.checkpoint_id as CheckpointId,
    task: raw.task_id as TaskId,
    index: integer(`write of task ${raw.task_id} at ${raw.checkpoint_id}`, 'idx', index),
    channel: raw.channel as ChannelName,
    value: stored(raw),
    taskPath: raw.task_path ?? null,
  };
}

function stored(raw: { type: string | null; blob: Uint8Array | null; omitted?: boolean }): StoredValue {
  return raw.omitted === true
    ? { type: raw.type, bytes: null, omitted: true }
    : { type: raw.type, bytes: raw.blob };
}
