/**
 * One row of `checkpoints` from its columns, both JSONB columns already parsed. Unknown keys are kept as metadata,
 * missing optional keys become null; only a key of the wrong type is refused. Easy to get wrong: a version may be a
 * number or a string, and a node or channel may be named `__proto__`.
 */
import type {
  ChannelVersions,
  CheckpointRow,
  CheckpointSource,
  Json,
  Version,
  VersionsSeen,
} from '#analysis/model/checkpoint.ts';
import {
  runTokenKey,
  type ChannelName,
  type CheckpointId,
  type Namespace,
  type NodeName,
  type RunToken,
  type ThreadId,
} from '#analysis/model/identifiers.ts';
import { DecodeError } from './decode-error.ts';
import { integer, json, objectEntries, text, textOrNull } from './decode-fields.ts';

/** The columns of one row; `checkpoint` and `metadata` are what `JSON.parse` gave. */
export interface RawCheckpoint {
  readonly thread_id: string;
  readonly checkpoint_ns: string;
  readonly checkpoint_id: string;
  readonly parent_checkpoint_id: string | null;
  readonly checkpoint: unknown;
  readonly metadata: unknown;
}

/**
 * Decodes one row.
 * Fails: {@link DecodeError} naming the field. Cost: linear in the row's size.
 */
export function decodeCheckpoint(raw: RawCheckpoint): CheckpointRow {
  const name = `checkpoint ${raw.checkpoint_id} of thread ${JSON.stringify(raw.thread_id)}`;
  let format: number | null = null;
  let timestamp: string | null = null;
  let channelVersions: ChannelVersions = noVersions;
  let versionsSeen: VersionsSeen = noneSeen;
  let inlineValues: Map<ChannelName, Json> | null = null;
  for (const [key, value] of objectEntries(name, 'checkpoint', raw.checkpoint)) {
    if (key === 'v') format = value === null ? null : integer(name, 'checkpoint.v', value);
    else if (key === 'ts') timestamp = textOrNull(name, 'checkpoint.ts', value);
    else if (key === 'channel_versions')
      channelVersions = versions(name, 'checkpoint.channel_versions', value);
    else if (key === 'versions_seen') versionsSeen = seen(name, value);
    else if (key === 'channel_values' && value !== null) {
      inlineValues = new Map();
      for (const [channel, inline] of objectEntries(name, 'checkpoint.channel_values', value)) {
        inlineValues.set(channel as ChannelName, json(name, `checkpoint.channel_values.${channel}`, inline));
      }
    }
  }
  const { source, step, parents, run, metadata } = decodeMetadata(name, raw.metadata);
  // Written out field by field: an object made by spreading gets a slow shape, and rows are read a million a second.
  return {
    thread: raw.thread_id as ThreadId,
    namespace: raw.checkpoint_ns as Namespace,
    id: raw.checkpoint_id as CheckpointId,
    parent: raw.parent_checkpoint_id as CheckpointId | null,
    format,
    timestamp,
    channelVersions,
    versionsSeen,
    inlineValues,
    source,
    step,
    parents,
    run,
    metadata,
  };
}

/** What a row's metadata says. */
export type Metadata = Pick<CheckpointRow, 'source' | 'step' | 'parents' | 'run' | 'metadata'>;

/** Decodes the column `metadata`, as `JSON.parse` gave it. Fails: {@link DecodeError}; `name` is the row's. */
export function decodeMetadata(name: string, value: unknown): Metadata {
  let source: CheckpointSource = 'other';
  let step: number | null = null;
  let run: RunToken | null = null;
  let parents: Map<Namespace, CheckpointId> | null = null;
  let rest: Map<string, Json> | null = null;
  for (const [key, item] of objectEntries(name, 'metadata', value)) {
    if (key === 'source') source = isSource(item) ? item : 'other';
    else if (key === 'step') step = item === null ? null : integer(name, 'metadata.step', item);
    else if (key === runTokenKey) run = textOrNull(name, `metadata.${runTokenKey}`, item) as RunToken | null;
    else if (key === 'parents' && item !== null) {
      for (const [namespace, id] of objectEntries(name, 'metadata.parents', item)) {
        parents ??= new Map();
        parents.set(namespace as Namespace, text(name, `metadata.parents.${namespace}`, id) as CheckpointId);
      }
    } else (rest ??= new Map()).set(key, json(name, `metadata.${key}`, item));
  }
  return { source, step, run, parents: parents ?? noParents, metadata: rest ?? noMetadata };
}

function isSource(value: unknown): value is CheckpointSource {
  return value === 'input' || value === 'loop' || value === 'update' || value === 'fork';
}

function versions(name: string, field: string, value: unknown): ChannelVersions {
  const decoded = new Map<ChannelName, Version>();
  for (const [channel, version] of objectEntries(name, field, value)) {
    if (typeof version !== 'number' && typeof version !== 'string') {
      // Python writes null for a channel that never had a version; that is the same as no entry.
      if (version === null) continue;
      throw new DecodeError(name, `${field}.${channel}`, 'a number or a string', version);
    }
    decoded.set(channel as ChannelName, version);
  }
  return decoded;
}

function seen(name: string, value: unknown): VersionsSeen {
  const decoded = new Map<NodeName, ChannelVersions>();
  for (const [node, channels] of objectEntries(name, 'checkpoint.versions_seen', value)) {
    decoded.set(node as NodeName, interned(versions(name, `checkpoint.versions_seen.${node}`, channels)));
  }
  return decoded;
}

/**
 * Equal entries of `versions_seen` as one Map: a row repeats what every node saw last, so a thread of n rows has few
 * different entries and n times as many copies. Bounded, because names and versions are the data's to choose.
 */
function interned(versions: ChannelVersions): ChannelVersions {
  if (versions.size === 0) return noVersions;
  if (versions.size > 1) return versions;
  for (const [channel, version] of versions) {
    const key = `${typeof version === 'number' ? 'n' : 's'}${version} ${channel}`;
    const known = entries.get(key);
    if (known !== undefined) return known;
    if (entries.size >= internedAtMost) entries.clear();
    entries.set(key, versions);
  }
  return versions;
}

const internedAtMost = 4096;
const entries = new Map<string, ChannelVersions>();

// Shared by all rows that have none: an ordinary row has no parents and no further metadata.
const noVersions: ChannelVersions = new Map();
const noneSeen: VersionsSeen = new Map();
const noParents: ReadonlyMap<Namespace, CheckpointId> = new Map();
const noMetadata: ReadonlyMap<string, Json> = new Map();
