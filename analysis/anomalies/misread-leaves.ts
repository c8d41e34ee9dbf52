/**
 * Leaves whose state, read the way a saver reads it, is not what their own run returned. The row's channel versions
 * name blobs, and a blob may be another branch's. Only runs that handed back a state can be compared, and only for
 * the keys of that state.
 */
import type { CheckpointRow } from '#analysis/model/checkpoint.ts';
import { rootNamespace, type ChannelName } from '#analysis/model/identifiers.ts';
import type { RunRecord } from '#analysis/model/run.ts';
import type { ThreadAccount } from '#analysis/executions/account.ts';
import type { BlobStore } from '#analysis/rows/stores.ts';
import type { MisreadLeaf } from '#analysis/model/report.ts';
import { rowAt } from '#analysis/lineage/tree.ts';
import { jsonValue } from '#analysis/serialization/json-values.ts';
import { isMapping, type Decoded } from '#analysis/serialization/decoded.ts';
import { sameValue } from '#analysis/serialization/same-value.ts';
import { readChannel } from '#analysis/rows/channel-value.ts';

/** All misread leaves of the root namespace. Leaves that cannot be compared count nowhere. */
export function misreadLeaves(thread: ThreadAccount, runs: readonly RunRecord[] | null): MisreadLeaf[] {
  const returned = new Map((runs ?? []).map((run) => [run.run, run.returned]));
  const root = thread.byName.get(rootNamespace);
  if (root === undefined || returned.size === 0) return [];
  const { tree } = root;
  const misread: MisreadLeaf[] = [];
  for (const at of tree.leaves) {
    const row = rowAt(tree, at);
    const state = row.run === null ? null : (returned.get(row.run) ?? null);
    if (row.run === null || state === null || typeof state !== 'object' || Array.isArray(state)) continue;
    const decoded = jsonValue(JSON.stringify(state));
    if (!isMapping(decoded)) continue;
    const channels = differing(thread.blobs, row, decoded);
    if (channels.length > 0) {
      misread.push({ leaf: row.id, run: row.run, channels, isHead: at === tree.rows.length - 1 });
    }
  }
  return misread;
}

function differing(
  blobs: BlobStore,
  row: CheckpointRow,
  state: ReadonlyMap<unknown, Decoded>,
): ChannelName[] {
  const channels: ChannelName[] = [];
  for (const [key, value] of state) {
    const channel = key as ChannelName;
    // Never written: the run returned the channel's default, which no row holds. Interrupts are no channel at all.
    if (!row.channelVersions.has(channel) && row.inlineValues?.has(channel) !== true) continue;
    const read = readChannel(row, channel, blobs);
    if (read.kind === 'unreadable' || read.kind === 'unknown') continue;
    const same = read.kind === 'value' ? sameValue(read.value, value) : value === null;
    if (!same) channels.push(channel);
  }
  return channels.sort();
}
