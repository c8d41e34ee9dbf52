/**
 * Which (channel, version) pairs two branches minted independently. A JS saver counts versions per thread and keeps
 * the first blob of a pair, so the second branch reads back the first one's value. A pair is introduced by an edge
 * whose child has it and whose parent does not; versions grow along a path, so two introducers are on two branches.
 * Easy to get wrong: a copy names its original's versions by design and introduces nothing.
 * Source: langgraph-format §1.6 and §17.13.
 */
import { getOrMake, pushTo } from '#analysis/model/maps.ts';
import type { ChannelName } from '#analysis/model/identifiers.ts';
import { childrenOf, noParent, parentRow, rowAt, type Tree } from '#analysis/lineage/tree.ts';
import { isAncestor } from '#analysis/lineage/walk.ts';
import type { NamespaceAccount } from '#analysis/executions/account.ts';
import { sameVersions } from '#analysis/rows/re-entry.ts';
import { versionText } from '#analysis/rows/versions.ts';

/** One pair that several edges introduced. */
export interface Collision {
  readonly channel: ChannelName;
  /** As text, the form `checkpoint_blobs` keys it by. */
  readonly version: string;
  /** Indices of the introducing rows in the walk's order; at least two, none an ancestor of another. */
  readonly introducers: readonly number[];
}

/** All collisions of a namespace. *Cost*: linear in the rows and the versions they introduce; nothing for a chain. */
export function versionCollisions(account: NamespaceAccount): Collision[] {
  const { tree } = account;
  if (tree.isChain) return [];
  const introduced = new Map<ChannelName, Map<string, number[]>>();
  for (let at = 0; at < tree.rows.length; at++) {
    const row = rowAt(tree, at);
    const parent = parentRow(tree, at);
    // Without the parent's row nobody knows what was new.
    if (parent === undefined || isCopy(tree, at)) continue;
    for (const [channel, version] of row.channelVersions) {
      if (parent?.channelVersions.get(channel) === version) continue;
      const versions = getOrMake(introduced, channel, () => new Map<string, number[]>());
      pushTo(versions, versionText(version), at);
    }
  }
  const collisions: Collision[] = [];
  for (const [channel, versions] of introduced) {
    for (const [version, introducers] of versions) {
      const apart = withoutDescendants(account, introducers);
      if (apart.length > 1) collisions.push({ channel, version, introducers: apart });
    }
  }
  return collisions;
}

/** A copy is a sibling of the row it copies and names exactly that row's versions; a replay is a child of its own. */
function isCopy(tree: Tree, at: number): boolean {
  const row = rowAt(tree, at);
  if (row.source !== 'fork') return false;
  const parent = tree.parentOf[at] ?? noParent;
  const siblings = parent === noParent ? tree.roots : [...childrenOf(tree, parent)];
  return siblings.some(
    (other) => other !== at && sameVersions(rowAt(tree, other).channelVersions, row.channelVersions),
  );
}

/** Rows that no other of them is an ancestor of. */
function withoutDescendants(account: NamespaceAccount, rows: readonly number[]): number[] {
  if (rows.length < 2) return [...rows];
  const numbering = account.walk();
  const ordered = [...rows].sort((a, b) => (numbering.entered[a] ?? 0) - (numbering.entered[b] ?? 0));
  const apart: number[] = [];
  for (const row of ordered) {
    const last = apart.at(-1);
    if (last === undefined || !isAncestor(numbering, last, row)) apart.push(row);
  }
  return apart;
}
