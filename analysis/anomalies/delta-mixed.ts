/**
 * Delta channels below a fork: their value is rebuilt by replaying all writes under every ancestor, and the common
 * parent holds the writes of both branches. Only a snapshot between the fork and a leaf keeps the branches apart.
 * Source: langgraph-format §13.
 */
import type { CheckpointRow } from '#analysis/model/checkpoint.ts';
import type { Finding } from '#analysis/model/finding.ts';
import type { ChannelName } from '#analysis/model/identifiers.ts';
import type { NamespaceAccount } from '#analysis/executions/account.ts';
import type { SiblingSet } from '#analysis/lineage/siblings.ts';
import { noParent, rowAt } from '#analysis/lineage/tree.ts';
import { isAncestor } from '#analysis/lineage/walk.ts';
import type { BlobStore } from '#analysis/rows/stores.ts';
import type { Detection, ThreadFacts } from './facts.ts';
import { found, listText } from './found.ts';

const counterKeys = ['counters_since_delta_snapshot', 'delta_updates_since_snapshot'];

/** Reports leaves whose delta channels replay a sibling's writes. */
export function detectDeltaMixed(facts: ThreadFacts): Detection {
  const findings: Finding[] = [];
  for (const { account } of facts.namespaces) {
    if (account.forks.length === 0) continue;
    const channels = deltaChannels(account);
    if (channels.size === 0) continue;
    for (const set of account.forks) {
      const mixed = mixedLeaves(facts, account, set, channels);
      if (mixed.leaves.length === 0) continue;
      findings.push(
        found(facts, 'delta-mixed', {
          namespace: account.namespace,
          because: `${listText(mixed.leaves)} rebuild ${listText(mixed.channels)} from writes at ${String(set.parent)} that another branch made`,
          witness: [String(set.parent), ...mixed.leaves],
          details: mixed,
        }),
      );
    }
  }
  return { findings, undecided: [] };
}

function deltaChannels(account: NamespaceAccount): Set<ChannelName> {
  const channels = new Set<ChannelName>();
  for (const row of account.tree.rows) {
    for (const key of counterKeys) {
      const counters = row.metadata.get(key);
      if (counters === null || typeof counters !== 'object' || Array.isArray(counters)) continue;
      for (const channel of Object.keys(counters)) channels.add(channel as ChannelName);
    }
  }
  return channels;
}

function mixedLeaves(
  facts: ThreadFacts,
  account: NamespaceAccount,
  set: SiblingSet,
  channels: ReadonlySet<ChannelName>,
): { leaves: string[]; channels: string[] } {
  const none = { leaves: [], channels: [] };
  if (set.parentIndex === null || set.parent === null) return none;
  const writes = facts.thread.writes.at(account.namespace, set.parent);
  const written = [...channels].filter((channel) => writes.some((write) => write.channel === channel));
  if (written.length === 0) return none;
  // First writes win: they belong to the branch that committed them, or else to the child that came first.
  const loops = set.children.filter((child) => rowAt(account.tree, child).source === 'loop');
  const owner = loops.length === 1 ? loops[0] : set.children[0];
  const leaves = new Set<string>();
  const mixed = new Set<string>();
  for (const leaf of account.tree.leaves) {
    const top = set.children.find((child) => isAncestor(account.walk(), child, leaf));
    if (top === undefined || top === owner) continue;
    for (const channel of written) {
      if (hasSnapshot(account, leaf, top, channel, facts.thread.blobs)) continue;
      leaves.add(rowAt(account.tree, leaf).id);
      mixed.add(channel);
    }
  }
  return { leaves: [...leaves].sort(), channels: [...mixed].sort() };
}

/** Whether any row from `leaf` up to `top` stores the channel's value. */
function hasSnapshot(
  account: NamespaceAccount,
  leaf: number,
  top: number,
  channel: ChannelName,
  blobs: BlobStore,
): boolean {
  for (let at = leaf; at >= 0; at = account.tree.parentOf[at] ?? noParent) {
    if (storesValue(rowAt(account.tree, at), channel, blobs)) return true;
    if (at === top) return false;
  }
  return false;
}

function storesValue(row: CheckpointRow, channel: ChannelName, blobs: BlobStore): boolean {
  const version = row.channelVersions.get(channel);
  const stored = version === undefined ? undefined : blobs.find(row.namespace, channel, version);
  return stored !== undefined && stored.type !== 'empty';
}
