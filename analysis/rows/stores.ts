/**
 * Blobs and writes of one thread, found by key. An unforked thread asks about its
 * head alone, so an index is made only once many questions have been asked: it would cost more than the analysis. A missing table is not an empty one.
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
  /** Whether any write is to this one of LangGraph's own channels (their names begin with two underscores). */
  readonly hasOwn: (channel: string) => boolean;
}

/** Up to this many questions a scan is cheaper than an index; an unforked thread asks about its head alone. */
const scansBeforeIndex = 24;

/** The blobs of a thread. *Cost*: a scan a question at first, then one index. */
export function blobStore(rows: ThreadRows): BlobStore {
  const blobs = rows.blobs ?? [];
  let scans = 0;
  let index: Map<string, StoredValue> | null = null;
  return {
    present: rows.blobs !== null,
    find: (namespace, channel, version) => {
      const text = versionText(version);
      if (index === null && scans < scansBeforeIndex) {
        scans += 1;
        // Newest last, in most sources: what is asked for is near the end.
        for (let at = blobs.length - 1; at >= 0; at--) {
          const blob = blobs[at];
          if (blob?.channel === channel && blob.version === text && blob.namespace === namespace)
            return blob.value;
        }
        return undefined;
      }
      index ??= indexBlobs(blobs);
      return index.get(blobKey(namespace, channel, text));
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

/** The writes of a thread. *Cost*: a scan a question at first, then one index. */
export function writeStore(rows: ThreadRows): WriteStore {
  const writes = rows.writes ?? [];
  let scans = 0;
  let index: Map<string, WriteRow[]> | null = null;
  let own: Set<string> | null = null;
  return {
    present: rows.writes !== null,
    at: (namespace, checkpoint) => {
      if (index === null && scans < scansBeforeIndex) {
        scans += 1;
        return scanWrites(writes, namespace, checkpoint);
      }
      index ??= indexWrites(writes);
      return index.get(placeKey(namespace, checkpoint)) ?? noWrites;
    },
    hasOwn: (channel) => (own ??= ownChannels(writes)).has(channel),
  };
}

const noWrites: readonly WriteRow[] = [];

function scanWrites(
  writes: readonly WriteRow[],
  namespace: Namespace,
  checkpoint: CheckpointId,
): readonly WriteRow[] {
  const found: WriteRow[] = [];
  for (const write of writes) {
    if (write.checkpoint === checkpoint && write.namespace === namespace) found.push(write);
  }
  return found.length === 0 ? noWrites : found.sort(byPathTaskIndex);
}

function ownChannels(writes: readonly WriteRow[]): Set<string> {
  const own = new Set<string>();
  for (const { channel } of writes) if (channel.startsWith('__')) own.add(channel);
  return own;
}

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
