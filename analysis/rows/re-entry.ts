/**
 * Whether a row's run was resumed at its parent. A run that starts with null or a Command copies the parent's channel
 * versions into `versions_seen.__interrupt__` before its first superstep; the process that wrote the parent and goes
 * on does not. Later rows carry the stamp unchanged, so it must differ from the parent's own.
 * Source: JS `pregel/loop.js` 892-898, Python `_loop.py` 946-951.
 */
import type { ChannelVersions, CheckpointRow } from '#analysis/model/checkpoint.ts';
import type { NodeName } from '#analysis/model/identifiers.ts';
import { compareVersions } from './versions.ts';

const stampKey = '__interrupt__' as NodeName;

/** The stamp of a row; undefined when no run of this line was ever resumed. */
export function reentryStamp(row: CheckpointRow): ChannelVersions | undefined {
  return row.versionsSeen.get(stampKey);
}

/** True when `child` is the first row of a run that was resumed at `parent`. */
export function reentered(parent: CheckpointRow, child: CheckpointRow): boolean {
  const stamp = reentryStamp(child);
  if (stamp === undefined || stamp.size === 0) return false;
  const earlier = reentryStamp(parent);
  if (earlier !== undefined && sameVersions(stamp, earlier)) return false;
  for (const [channel, version] of parent.channelVersions) {
    const stamped = stamp.get(channel);
    // A channel of an older graph may be missing from the stamp; one that is stamped older contradicts it.
    if (stamped !== undefined && compareVersions(stamped, version) < 0) return false;
  }
  return true;
}

/** Whether two version maps are equal. */
export function sameVersions(a: ChannelVersions, b: ChannelVersions): boolean {
  if (a.size !== b.size) return false;
  for (const [channel, version] of a) if (b.get(channel) !== version) return false;
  return true;
}
