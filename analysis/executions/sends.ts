/**
 * Which nodes a checkpoint sent tasks to. Sends never show in `versions_seen`: the list on the parent is the exact
 * count. Since format 4 it is the channel `__pregel_tasks`; before, it is the writes of that channel under the
 * parent's own parent, and an input row has none whatever lies there.
 * Source: JS `checkpoint-postgres/sql.js` 42-50, Python `postgres/base.py` 120-129; langgraph-format §17.1 and §17.2.
 */
import type { CheckpointRow } from '#analysis/model/checkpoint.ts';
import type { ChannelName, NodeName } from '#analysis/model/identifiers.ts';
import { decodeStored, describeUnreadable } from '#analysis/serialization/decode-stored.ts';
import { sendList, sendNode, type SendList } from '#analysis/serialization/send-list.ts';
import type { BlobStore, WriteStore } from '#analysis/rows/stores.ts';
import { rowWriter } from '#analysis/rows/versions.ts';

const tasksChannel = '__pregel_tasks' as ChannelName;
const noSends: SendList = { kind: 'sends', nodes: [] };

/** The Send list of a checkpoint, in order, with repetitions; or why it cannot be known. */
export function sendsOf(row: CheckpointRow, blobs: BlobStore, writes: WriteStore): SendList {
  return row.format !== null && row.format < 4 ? storedWrites(row, writes) : storedChannel(row, blobs);
}

function storedChannel(row: CheckpointRow, blobs: BlobStore): SendList {
  const version = row.channelVersions.get(tasksChannel);
  if (version === undefined) return noSends;
  if (!blobs.present) return { kind: 'unreadable', because: 'the source has no table of blobs' };
  const stored = blobs.find(row.namespace, tasksChannel, version);
  if (stored !== undefined) return sendList(decodeStored(stored));
  // Python stores nothing for an emptied channel; JS always stores a row.
  return rowWriter(row) === 'js' ? { kind: 'unreadable', because: 'its blob is absent' } : noSends;
}

function storedWrites(row: CheckpointRow, writes: WriteStore): SendList {
  if (row.parent === null || row.source === 'input') return noSends;
  if (!writes.present) return { kind: 'unreadable', because: 'the source has no table of writes' };
  const nodes: NodeName[] = [];
  for (const write of writes.at(row.namespace, row.parent)) {
    if (write.channel !== tasksChannel) continue;
    const decoded = decodeStored(write.value);
    if (decoded.kind === 'unreadable') return { kind: 'unreadable', because: describeUnreadable(decoded) };
    const node = decoded.kind === 'value' ? sendNode(decoded.value) : null;
    if (node === null) return { kind: 'unreadable', because: 'a stored write of it is no Send' };
    nodes.push(node);
  }
  return { kind: 'sends', nodes };
}
