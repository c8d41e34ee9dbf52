/**
 * Blobs and writes of one thread, found by key. Indexed on first use only: an unforked thread needs neither, and
 * indexing would cost more than the rest of its analysis. A missing table is not an empty one.
 */
import { pushTo } from '#analysis/model/maps.ts';
import type { BlobRow, StoredValue, ThreadRows, Version, WriteRow } from '#analysis/model/checkpoint.ts';
import type { ChannelName, CheckpointId, Namespace, TaskId } from '#analysis/model/identifiers.ts';
import { versionText } from './versions.ts';

/** The task id under which a Command's own writes are stored; no task. */
export const nullTask = '00000000-0000-0000-0000-000000000000' as TaskId;

/** The blobs of a thread. */
export interface BlobStore {
  /** False when the source has no blob table. */
  readonly present: boolean;
  /** The stored value of a channel's version; undefined when there is no such row. */
  readonly find: (namespace: Namespace, channel: ChannelName, version: Version) => StoredValue | undefined;
}

/** The writes of a thread. */
export interface WriteStore {
  /** False when the source has no table of writes. */
  readonly present: boolean;
  /** Writes stored under a checkpoint, ordered by task and index. */
  readonly at: (namespace: Namespace, checkpoint: CheckpointId) => readonly WriteRow[];
  /** All (namespace, checkpoint) pairs that have writes. */
  readonly places: () => Iterable<readonly WriteRow[]>;
}

/** Indexes the blobs of a thread. *Cost*: linear, at the first call of `find`. */
export function blobStore(rows: ThreadRows): BlobStore {
  let index: Map<string, StoredValue> | null = null;
  return {
    present: rows.blobs !== null,
    find: (namespace, channel, version) => {
      index ??= indexBlobs(rows.blobs ?? []);
      return index.get(blobKey(namespace, channel, versionText(version)));
    },
  };
}

function indexBlobs(blobs: readonly BlobRow[]): Map<string, StoredValue> {
  const index = new Map<string, StoredValue>();
  for (const blob of blobs) index.set(blobKey(blob.namespace, blob.channel, blob.version), blob.value);
  return index;
}

/** Lengths keep keys apart whatever the parts contain. */
function blobKey(namespace: string, channel: string, version: string): string {
  return `${namespace.length},${channel.length},${namespace}${channel}${version}`;
}

/** Indexes the writes of a thread. *Cost*: linear, at the first use. */
export function writeStore(rows: ThreadRows): WriteStore {
  let index: Map<string, WriteRow[]> | null = null;
  const indexed = (): Map<string, WriteRow[]> => (index ??= indexWrites(rows.writes ?? []));
  return {
    present: rows.writes !== null,
    at: (namespace, checkpoint) => indexed().get(placeKey(namespace, checkpoint)) ?? noWrites,
    places: () => indexed().values(),
  };
}

const noWrites: readonly WriteRow[] = [];

function placeKey(namespace: string, checkpoint: string): string {
  return namespace === '' ? checkpoint : `${checkpoint} ${namespace}`;
}

function indexWrites(writes: readonly WriteRow[]): Map<string, WriteRow[]> {
  const index = new Map<string, WriteRow[]>();
  for (const write of writes) pushTo(index, placeKey(write.namespace, write.checkpoint), write);
  for (const place of index.values()) place.sort(byPathTaskIndex);
  return index;
}

/** The order LangGraph itself reads writes in: path (where stored), task, index. */
function byPathTaskIndex(a: WriteRow, b: WriteRow): number {
  const left = a.taskPath ?? '';
  const right = b.taskPath ?? '';
  if (left !== right) return left < right ? -1 : 1;
  if (a.task !== b.task) return a.task < b.task ? -1 : 1;
  return a.index - b.index;
}
