/**
 * Which nodes a row saw that its parent had not seen: the executions of a superstep. Compare values, not presence of
 * keys: Python lists all triggers of a node each time. Input and update rows advance `versions_seen` too, for nodes
 * that never ran; only the caller knows the row's source.
 */
import type { ChannelVersions, CheckpointRow, Version } from '#analysis/model/checkpoint.ts';
import type { ChannelName, NodeName } from '#analysis/model/identifiers.ts';

/** Entries of versions_seen that name no node. `__start__` is a task, but maps input to state and runs no user code. */
export const pseudoNodes: ReadonlySet<string> = new Set([
  '__input__',
  '__interrupt__',
  '__snapshot_bumps__',
  '__start__',
]);

const snapshotBumps = '__snapshot_bumps__' as NodeName;
const nothing: ChannelVersions = new Map();

/**
 * Nodes of `child` that saw a version `parent` had not, in the row's order; pseudo nodes excluded.
 * `parent` null is the empty checkpoint. Cost: linear in the size of the child's versions_seen.
 * Source: `_applyWrites`, JS `pregel/algo.js` 112-179, Python `_algo.py` 232-345.
 */
export function advancedNodes(parent: CheckpointRow | null, child: CheckpointRow): NodeName[] {
  const before = parent?.versionsSeen;
  const bumped = child.versionsSeen.get(snapshotBumps);
  const advanced: NodeName[] = [];
  for (const [node, now] of child.versionsSeen) {
    const earlier = before?.get(node);
    // The decoder gives equal entries one Map, so most nodes are told apart without looking inside.
    if (now === earlier) continue;
    if (!differs(node, now, earlier ?? nothing, bumped, before?.get(snapshotBumps))) continue;
    if (!pseudoNodes.has(node)) advanced.push(node);
  }
  return advanced;
}

/** Whether the hidden `__start__` task consumed input between the two rows: the run began with new input. */
export function consumedInput(parent: CheckpointRow | null, child: CheckpointRow): boolean {
  const start = '__start__' as NodeName;
  const now = child.versionsSeen.get(start)?.get(start as string as ChannelName);
  return now !== undefined && now !== parent?.versionsSeen.get(start)?.get(start as string as ChannelName);
}

function differs(
  node: NodeName,
  now: ChannelVersions,
  earlier: ChannelVersions,
  bumpsNow: ChannelVersions | undefined,
  bumpsEarlier: ChannelVersions | undefined,
): boolean {
  for (const [channel, version] of now) {
    const seenBefore = earlier.get(channel);
    if (version === seenBefore) continue;
    if (bumpsNow === undefined && bumpsEarlier === undefined) return true;
    if (
      reallySeen(node, channel, version, bumpsNow) !== reallySeen(node, channel, seenBefore, bumpsEarlier)
    ) {
      return true;
    }
  }
  return false;
}

/**
 * A delta channel's snapshot bumps an unchanged channel's version and advances every node that had seen the old one;
 * `node|channel` marks the version advanced to, `node:channel` the one really read (absent: none).
 * Source: JS `langgraph/dist/channels/base.js` 216-259.
 */
function reallySeen(
  node: NodeName,
  channel: ChannelName,
  version: Version | undefined,
  bumps: ChannelVersions | undefined,
): Version | undefined {
  if (version === undefined || bumps?.get(`${node}|${channel}` as ChannelName) !== version) return version;
  return bumps.get(`${node}:${channel}` as ChannelName);
}
