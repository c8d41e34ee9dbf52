/**
 * Channel versions: their order, their text, and what they tell about the writer. JS counts integers, Python writes
 * fixed-width strings whose order is text order. A thread that changed language holds both; the counter before the
 * first dot orders them.
 */
import type { CheckpointRow, Version } from '#analysis/model/checkpoint.ts';
import type { Writer } from '#analysis/model/report.ts';

/** The counter of a version: the integer itself, or the text before the first dot read as a number. */
export function versionCounter(version: Version): number {
  if (typeof version === 'number') return version;
  const dot = version.indexOf('.');
  const counter = Number.parseInt(dot < 0 ? version : version.slice(0, dot), 10);
  return Number.isNaN(counter) ? 0 : counter;
}

/** Negative, zero or positive as `a` is older than, equal to or newer than `b`. */
export function compareVersions(a: Version, b: Version): number {
  if (typeof a === 'number' && typeof b === 'number') return a - b;
  if (typeof a === 'string' && typeof b === 'string') return a < b ? -1 : a > b ? 1 : 0;
  return versionCounter(a) - versionCounter(b);
}

/** Whether `version` is newer than what was seen; nothing seen counts as the null version. */
export function isNewer(version: Version, seen: Version | undefined): boolean {
  return seen === undefined
    ? typeof version === 'number'
      ? version > 0
      : version !== ''
    : compareVersions(version, seen) > 0;
}

/** The text under which `checkpoint_blobs` holds a version. */
export function versionText(version: Version): string {
  return typeof version === 'number' ? String(version) : version;
}

/**
 * Which language wrote a row. Rows with `channel_values`, `updated_channels` or microsecond timestamps are Python's;
 * integer versions alone prove nothing against a timestamp, since Python continues a JS thread with strings.
 */
export function rowWriter(row: CheckpointRow): Writer {
  if (row.timestamp !== null) {
    if (row.timestamp.endsWith('Z')) return 'js';
    if (row.timestamp.endsWith('+00:00')) return 'python';
  }
  if (row.inlineValues !== null) return 'python';
  for (const version of row.channelVersions.values()) return typeof version === 'number' ? 'js' : 'python';
  return 'unknown';
}
