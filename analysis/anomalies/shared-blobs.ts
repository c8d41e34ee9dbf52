/**
 * Shared blobs as findings, one for each fork that let branches mint the same versions: which channels, whose value
 * was kept where stored values prove it, and which leaves therefore read back another branch's state.
 */
import { getOrMake, pushTo } from '#analysis/model/maps.ts';
import type { Finding, Severity } from '#analysis/model/finding.ts';
import type { ChannelName, CheckpointId } from '#analysis/model/identifiers.ts';
import type { MisreadLeaf } from '#analysis/model/report.ts';
import { ancestorAmong, commonAncestor } from '#analysis/lineage/walk.ts';
import { rowAt } from '#analysis/lineage/tree.ts';
import { triggeredNode } from '#analysis/rows/trigger-channels.ts';
import { versionText } from '#analysis/rows/versions.ts';
import type { Detection, NamespaceFacts, ThreadFacts } from './facts.ts';
import { found, listText } from './found.ts';
import { introducersKey, survivors, type Survivors } from './survivors.ts';
import { versionCollisions, type Collision } from './version-collisions.ts';

/** Reports shared blobs of every namespace. Python versions carry a random suffix, so only JS rows can collide. */
export function detectSharedBlobs(facts: ThreadFacts): Detection {
  const findings: Finding[] = [];
  for (const namespace of facts.namespaces) {
    const collisions = versionCollisions(namespace.account);
    if (collisions.length === 0) continue;
    const kept = survivors(facts.thread, namespace.account, collisions);
    for (const [from, group] of byFork(namespace, collisions)) {
      findings.push(describe(facts, namespace, from, group, kept));
    }
  }
  return { findings, undecided: [] };
}

/** Collisions by the index of the row their branches grew apart at; -1 for separate roots. */
function byFork({ account }: NamespaceFacts, collisions: readonly Collision[]): Map<number, Collision[]> {
  const groups = new Map<number, Collision[]>();
  for (const collision of collisions) {
    const [first, second] = collision.introducers;
    if (first === undefined || second === undefined) continue;
    pushTo(groups, commonAncestor(account.tree, account.walk(), first, second), collision);
  }
  return groups;
}

/** A leaf that reads back, or may read back, another branch's values. */
interface Victim {
  readonly leaf: CheckpointId;
  /** Channels whose stored value is proven to be another branch's. */
  readonly channels: ChannelName[];
  /** Channels of which one branch's value was dropped, and nothing tells whose. */
  readonly possibly: ChannelName[];
}

/** Triggers and LangGraph's own channels hold the same in both branches, or steer the graph; they are no state. */
function isState(channel: ChannelName): boolean {
  return triggeredNode(channel) === null && !channel.startsWith('__');
}

function victimsOf({ account }: NamespaceFacts, group: readonly Collision[], kept: Survivors): Victim[] {
  const { tree } = account;
  const victims = new Map<number, Victim>();
  for (const { channel, version, introducers } of group) {
    if (!isState(channel)) continue;
    const survivor = kept.get(introducersKey(introducers));
    for (const leaf of tree.leaves) {
      const { id, channelVersions } = rowAt(tree, leaf);
      const current = channelVersions.get(channel);
      if (current === undefined || versionText(current) !== version) continue;
      const introducer = ancestorAmong(account.walk(), introducers, leaf);
      if (introducer === null || introducer === survivor) continue;
      const victim = getOrMake(victims, leaf, (): Victim => ({ leaf: id, channels: [], possibly: [] }));
      (survivor === undefined ? victim.possibly : victim.channels).push(channel);
    }
  }
  return [...victims.values()];
}

function describe(
  facts: ThreadFacts,
  namespace: NamespaceFacts,
  from: number,
  group: readonly Collision[],
  kept: Survivors,
): Finding {
  const { account } = namespace;
  const victims = victimsOf(namespace, group, kept);
  const certain = victims.filter((victim) => victim.channels.length > 0);
  const here =
    account.namespace === '' ? facts.misread.filter(({ leaf }) => lies(namespace, group, leaf)) : [];
  const id = from < 0 ? null : rowAt(account.tree, from).id;
  const pairs = group.map(({ channel, version, introducers }) => {
    const survivor = kept.get(introducersKey(introducers));
    return {
      channel,
      version,
      introducers: introducers.map((at) => rowAt(account.tree, at).id),
      survivor: survivor === undefined ? null : rowAt(account.tree, survivor).id,
    };
  });
  return found(facts, 'shared-blob', {
    namespace: account.namespace,
    because: `${group.length} versions were minted by two branches ${id === null ? 'with roots of their own' : `off ${id}`} and have one blob each${victimText(victims, certain, here)}`,
    witness: [...new Set(pairs.flatMap((pair) => pair.introducers))].slice(0, 2),
    details: { from: id, pairs, victims, misreadLeaves: here },
    severity: severityOf(namespace, id),
  });
}

/** Whether a leaf lies below an edge that introduced one of the pairs. */
function lies({ account }: NamespaceFacts, group: readonly Collision[], leaf: CheckpointId): boolean {
  const at = account.find(leaf);
  if (at === undefined) return false;
  return group.some(({ introducers }) => ancestorAmong(account.walk(), introducers, at) !== null);
}

function victimText(
  victims: readonly Victim[],
  certain: readonly Victim[],
  misread: readonly MisreadLeaf[],
): string {
  const [leaf] = misread;
  if (leaf !== undefined) {
    return `; leaf ${leaf.leaf} reads back ${listText(leaf.channels)} unlike what run ${leaf.run} returned`;
  }
  const [victim] = certain;
  if (victim !== undefined) {
    return `; leaf ${victim.leaf} reads back another branch's ${listText(victim.channels)}`;
  }
  return victims.length > 1 ? `; one of ${victims.length} leaves may read back another's values` : '';
}

/** As severe as the fork that the branches grew from: an error where it was a race. */
function severityOf(namespace: NamespaceFacts, from: CheckpointId | null): Severity {
  const fork = namespace.forks.find((judged) => judged.fork.parent === from);
  return fork?.fork.verdict === 'race' ? 'error' : 'warning';
}
