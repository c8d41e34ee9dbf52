/**
 * The rows that a run of a line of nodes writes, by LangGraph JS's rules: an input row discards what was pending and
 * marks it seen, `__start__` has a superstep of its own, every superstep bumps the channels it wrote and the trigger
 * it cleared, a resumed run stamps what it loaded.
 */
import type { ChannelVersions, CheckpointRow, Version } from '#analysis/model/checkpoint.ts';
import {
  rootNamespace,
  type ChannelName,
  type CheckpointId,
  type NodeName,
  type RunToken,
  type ThreadId,
} from '#analysis/model/identifiers.ts';

/** How a run mints versions: the JS default counts, the other way makes them unique as Python's are. */
export type Minting = 'counted' | 'unique';

/** A row under construction: what a run holds in memory. */
export interface Draft {
  readonly versions: ReadonlyMap<ChannelName, Version>;
  readonly seen: ReadonlyMap<NodeName, ChannelVersions>;
  readonly step: number;
  /** The node whose trigger is set; null when the graph has ended. */
  readonly due: NodeName | null;
}

export const stepsChannel = 'steps' as ChannelName;
export const receiptsChannel = 'receipts' as ChannelName;
const start = '__start__' as NodeName;
const startChannel = '__start__' as ChannelName;

/** The trigger channel of a node. */
export function triggerOf(node: NodeName): ChannelName {
  return node === start ? startChannel : (`branch:to:${node}` as ChannelName);
}

/** What a run holds after loading a row. `due` is the node whose trigger is set there. */
export function loaded(row: CheckpointRow | null, due: NodeName | null): Draft {
  if (row === null) return { versions: new Map(), seen: new Map(), step: -2, due: null };
  return { versions: row.channelVersions, seen: row.versionsSeen, step: row.step ?? -1, due };
}

function nextVersion(draft: Draft, minting: Minting, run: RunToken): Version {
  let counter = 0;
  for (const version of draft.versions.values()) {
    const value = typeof version === 'number' ? version : Number.parseInt(version, 10);
    counter = Math.max(counter, value);
  }
  return minting === 'counted' ? counter + 1 : `${String(counter + 1).padStart(32, '0')}.${run}`;
}

function advance(draft: Draft, node: NodeName): Map<NodeName, ChannelVersions> {
  const seen = new Map(draft.seen);
  const channel = triggerOf(node);
  const version = draft.versions.get(channel);
  if (version !== undefined) seen.set(node, new Map([[channel, version]]));
  return seen;
}

function bump(draft: Draft, channels: readonly ChannelName[], version: Version): Map<ChannelName, Version> {
  const versions = new Map(draft.versions);
  for (const channel of channels) versions.set(channel, version);
  return versions;
}

/** New input: what was due is marked seen and its trigger cleared. */
export function withInput(
  draft: Draft,
  minting: Minting,
  run: RunToken,
): { next: Draft; changed: ChannelName[] } {
  const changed = [startChannel, ...(draft.due === null ? [] : [triggerOf(draft.due)])];
  const seen = draft.due === null ? new Map(draft.seen) : advance(draft, draft.due);
  seen.set('__input__' as NodeName, new Map());
  const versions = bump(draft, changed, nextVersion(draft, minting, run));
  return { next: { versions, seen, step: draft.step + 1, due: start }, changed };
}

/** A resume: the loaded versions are stamped. */
export function withStamp(draft: Draft): Draft {
  const seen = new Map(draft.seen);
  seen.set('__interrupt__' as NodeName, draft.versions);
  return { ...draft, seen };
}

/** One superstep: the due node ran and set the trigger of the node after it. */
export function withSuperstep(
  draft: Draft,
  following: NodeName | null,
  minting: Minting,
  run: RunToken,
): { next: Draft; changed: ChannelName[] } {
  const ran = draft.due ?? start;
  const changed = [stepsChannel, receiptsChannel, triggerOf(ran)];
  if (following !== null) changed.push(triggerOf(following));
  const versions = bump(draft, changed, nextVersion(draft, minting, run));
  return { next: { versions, seen: advance(draft, ran), step: draft.step + 1, due: following }, changed };
}

/** The row of a draft. */
export function rowOf(
  draft: Draft,
  identity: { thread: ThreadId; id: CheckpointId; parent: CheckpointId | null; run: RunToken | null },
  source: 'input' | 'loop',
  timestamp: string,
): CheckpointRow {
  return {
    thread: identity.thread,
    namespace: rootNamespace,
    id: identity.id,
    parent: identity.parent,
    format: 4,
    timestamp,
    channelVersions: draft.versions,
    versionsSeen: draft.seen,
    inlineValues: null,
    source,
    step: draft.step,
    parents: new Map(),
    run: identity.run,
    metadata: new Map(),
  };
}
