/**
 * What a checkpoint would run next, from rows alone: nodes whose trigger channel has a value that is newer than what
 * the node saw, and one task per stored Send. Easy to get wrong: a newer version is not enough, because clearing a
 * channel bumps its version too; the value must be there.
 * Source: langgraph-format §7.1; `_shouldTrigger`, JS pregel/algo.js, Python _algo.py 1260-1277.
 */
import type { CheckpointRow } from '#analysis/model/checkpoint.ts';
import type { ChannelName, NodeName } from '#analysis/model/identifiers.ts';
import { barrierFires, barrierName, barrierOf } from '#analysis/serialization/barrier.ts';
import { isList } from '#analysis/serialization/decoded.ts';
import type { SendList } from '#analysis/serialization/send-list.ts';
import { readChannel, type ChannelValue } from './channel-value.ts';
import { nullTask, type BlobStore, type WriteStore } from './stores.ts';
import { triggeredNode } from './trigger-channels.ts';
import { pseudoNodes } from './versions-seen.ts';
import { isNewer, rowWriter } from './versions.ts';

/** The tasks due at a checkpoint. */
export interface Due {
  /** Nodes in the order of their channels, Sends last; a node may occur several times. `__start__` maps input. */
  readonly nodes: readonly NodeName[];
  /** Why more may be due; null when this is all. */
  readonly open: string | null;
}

/** Channel → the nodes that are known to be triggered by it, beyond what its name says. */
export type LearnedTriggers = ReadonlyMap<ChannelName, ReadonlySet<NodeName>>;

const start = '__start__' as NodeName;

/** Computes what is due at a row. `sends` is the row's Send list. */
export function dueAt(
  row: CheckpointRow,
  sends: SendList,
  learned: LearnedTriggers,
  blobs: BlobStore,
  writes: WriteStore,
): Due {
  const due = new Set<NodeName>();
  let open: string | null = null;
  for (const [channel, version] of row.channelVersions) {
    const targets = targetsOf(channel, learned);
    if (targets.length === 0 && row.versionsSeen.has(channel as string as NodeName)) {
      // Older layouts: the channel a node writes under its own name starts its successors, if it has any.
      if (isAvailable(channel, readChannel(row, channel, blobs)) !== false) {
        open = `channel ${channel} may start a node that never ran in this thread`;
      }
    }
    for (const node of targets) {
      const seen = row.versionsSeen.get(node);
      // Python triggers a node it never saw by availability alone.
      const never = seen === undefined && rowWriter(row) === 'python';
      if (!never && !isNewer(version, seen?.get(channel))) continue;
      const available = isAvailable(channel, readChannel(row, channel, blobs));
      if (available === null) open = `the value of channel ${channel} cannot be read`;
      else if (available) due.add(node);
    }
  }
  for (const write of writes.at(row.namespace, row.id)) {
    // A Command's goto is applied before anything else when the thread is resumed.
    if (write.task !== nullTask) continue;
    const node = triggeredNode(write.channel);
    if (node !== null) due.add(node);
  }
  if (sends.kind === 'unreadable') open = `the Send list cannot be read: ${sends.because}`;
  return { nodes: [...due, ...(sends.kind === 'sends' ? sends.nodes : [])], open };
}

function targetsOf(channel: ChannelName, learned: LearnedTriggers): readonly NodeName[] {
  const named = triggeredNode(channel);
  if (named !== null) return [named];
  const known = learned.get(channel);
  if (known !== undefined) return [...known];
  return channel === (start as string) ? [start] : [];
}

/** Null when the value cannot be read. Only barriers and deferred triggers are asked what they hold. */
function isAvailable(channel: ChannelName, value: ChannelValue): boolean | null {
  if (value.kind === 'empty') return false;
  if (value.kind === 'unknown') return null;
  const barrier = barrierName(channel);
  if (barrier === null && !channel.startsWith('branch:to:')) return true;
  if (value.kind !== 'value') return null;
  if (barrier !== null) {
    const state = barrierOf(value.value);
    return state === null ? null : barrierFires(barrier, state);
  }
  // A deferred node's channel holds [value, finished].
  if (isList(value.value) && value.value.length === 2 && typeof value.value[1] === 'boolean') {
    return value.value[1];
  }
  return true;
}

/** Triggers that a thread's rows show: which node saw which channel. */
export function learnTriggers(rows: Iterable<CheckpointRow>): LearnedTriggers {
  const learned = new Map<ChannelName, Set<NodeName>>();
  for (const row of rows) {
    for (const [node, channels] of row.versionsSeen) {
      if (pseudoNodes.has(node) && node !== start) continue;
      for (const channel of channels.keys()) {
        if (triggeredNode(channel) !== null) continue;
        const nodes = learned.get(channel);
        if (nodes === undefined) learned.set(channel, new Set([node]));
        else nodes.add(node);
      }
    }
  }
  return learned;
}
