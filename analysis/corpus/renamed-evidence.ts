/**
 * Evidence in which things are called otherwise, to try whether detection rests on what rows say and not on what
 * things are called. Easy to get wrong: names travel inside other names. A trigger channel, a namespace, a task path
 * and a run's returned state quote names of nodes and channels, so one renaming touches many columns.
 */
import type { CheckpointRow, Json, StoredValue, VersionsSeen, WriteRow } from '#analysis/model/checkpoint.ts';
import type { Effect } from '#analysis/model/effect.ts';
import type { ThreadEvidence } from '#analysis/model/evidence.ts';
import type { ChannelName, CheckpointId, Namespace, NodeName } from '#analysis/model/identifiers.ts';

/** What each kind of name becomes; different names must stay different. */
export interface Renaming {
  readonly node: (node: string) => string;
  /** Of channels that are no triggers; a trigger follows its nodes. */
  readonly channel: (channel: string) => string;
  readonly id: (id: string) => string;
  /** `checkpoint.ts` as text. */
  readonly timestamp: (text: string) => string;
  /** Unix milliseconds. */
  readonly wallMs: (moment: number) => number;
}

/** Changes nothing. */
export const sameNames: Renaming = {
  node: (node) => node,
  channel: (channel) => channel,
  id: (id) => id,
  timestamp: (text) => text,
  wallMs: (moment) => moment,
};

/** Stored bytes hold names too (Send lists, barriers) and are not renamed; without them neither side reads any. */
export function withoutValues(evidence: ThreadEvidence): ThreadEvidence {
  const { rows } = evidence;
  const emptied = <Row extends { readonly value: StoredValue }>(row: Row): Row =>
    row.value.bytes === null ? row : { ...row, value: { type: row.value.type, bytes: null, omitted: true } };
  return {
    ...evidence,
    rows: { ...rows, blobs: rows.blobs?.map(emptied) ?? null, writes: rows.writes?.map(emptied) ?? null },
  };
}

/** Renames evidence and remembers every name that it met. Threads, tasks, runs and stored bytes stay. */
export class EvidenceRenamer {
  /** Original → new, for every node, channel, namespace and checkpoint id met so far. */
  readonly names = new Map<string, string>();
  readonly #to: Renaming;

  constructor(to: Renaming) {
    this.#to = to;
  }

  /** The same evidence under the new names. */
  evidence({ rows, log, runs }: ThreadEvidence): ThreadEvidence {
    const effects = (list: readonly Effect[]): Effect[] => list.map((effect) => this.#effect(effect));
    return {
      rows: {
        ...rows,
        checkpoints: rows.checkpoints.map((row) => this.#checkpoint(row)),
        blobs:
          rows.blobs?.map((blob) => ({
            ...blob,
            namespace: this.#namespace(blob.namespace),
            channel: this.#channel(blob.channel),
          })) ?? null,
        writes: rows.writes?.map((write) => this.#write(write)) ?? null,
      },
      log:
        log === null
          ? null
          : { ...log, effects: effects(log.effects), table: log.table === null ? null : effects(log.table) },
      runs: runs?.map((run) => ({ ...run, returned: this.#perChannel(run.returned) })) ?? null,
    };
  }

  #met<Name extends string>(from: Name, to: string): Name {
    this.names.set(from, to);
    return to as Name;
  }

  #node(node: NodeName): NodeName {
    return this.#met(node, this.#to.node(node));
  }

  #id(id: CheckpointId): CheckpointId {
    return this.#met(id, this.#to.id(id));
  }

  #idOrNull(id: CheckpointId | null): CheckpointId | null {
    return id === null ? null : this.#id(id);
  }

  /** `node:task|node:task`; the task ids in it stay, and so do the numbers that LangGraph puts in. */
  #namespace(namespace: Namespace): Namespace {
    const segments = namespace.split('|').map((segment) => {
      if (segment === '' || /^\d+$/.test(segment)) return segment;
      const [name = '', ...rest] = segment.split(':');
      return [this.#node(name as NodeName), ...rest].join(':');
    });
    return this.#met(namespace, segments.join('|'));
  }

  /** `branch:to:plan` follows its node, `join:a+b:c` all three, `branch:plan:condition:charge` both ends. */
  #channel(channel: ChannelName): ChannelName {
    const [prefix = '', ...parts] = channel.split(':');
    const last = parts.pop();
    if (last === undefined || !['join', 'branch', 'start', '__start__'].includes(prefix)) {
      return this.#met(channel, this.#to.channel(channel));
    }
    const target = this.#node(last as NodeName);
    const node = (name: string): string => this.#node(name as NodeName);
    const [source, ...rest] = parts;
    const before =
      prefix === 'join'
        ? [parts.join(':').split('+').map(node).join('+')]
        : source === undefined || source === 'to'
          ? parts
          : [node(source), ...rest];
    return this.#met(channel, [prefix, ...before, target].join(':'));
  }

  #channels<Value>(map: ReadonlyMap<ChannelName, Value>): Map<ChannelName, Value> {
    return new Map([...map].map(([channel, value]) => [this.#channel(channel), value]));
  }

  /** What is kept per channel: the counters of delta channels, the state of a run. */
  #perChannel(value: Json): Json {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
    return Object.fromEntries(
      Object.entries(value as Readonly<Record<string, Json>>).map(([key, item]) => [
        this.#channel(key as ChannelName),
        item,
      ]),
    );
  }

  #checkpoint(row: CheckpointRow): CheckpointRow {
    const versionsSeen: VersionsSeen = new Map(
      [...row.versionsSeen].map(([node, seen]) => [this.#node(node), this.#channels(seen)]),
    );
    return {
      ...row,
      namespace: this.#namespace(row.namespace),
      id: this.#id(row.id),
      parent: this.#idOrNull(row.parent),
      timestamp: row.timestamp === null ? null : this.#to.timestamp(row.timestamp),
      channelVersions: this.#channels(row.channelVersions),
      versionsSeen,
      inlineValues: row.inlineValues === null ? null : this.#channels(row.inlineValues),
      parents: new Map([...row.parents].map(([space, id]) => [this.#namespace(space), this.#id(id)])),
      metadata: new Map([...row.metadata].map(([key, value]) => [key, this.#perChannel(value)])),
    };
  }

  #write(write: WriteRow): WriteRow {
    const pulled = '~__pregel_pull, ';
    const { taskPath } = write;
    const rest = taskPath?.startsWith(pulled) === true ? taskPath.slice(pulled.length) : null;
    return {
      ...write,
      namespace: this.#namespace(write.namespace),
      checkpoint: this.#id(write.checkpoint),
      channel: this.#channel(write.channel),
      taskPath:
        rest === null ? taskPath : pulled + rest.replace(/^[^,]+/, (name) => this.#node(name as NodeName)),
    };
  }

  #effect(effect: Effect): Effect {
    return {
      ...effect,
      node: this.#node(effect.node),
      parent: this.#idOrNull(effect.parent),
      namespace: effect.namespace === null ? null : this.#namespace(effect.namespace),
      wallMs: effect.wallMs === null ? null : this.#to.wallMs(effect.wallMs),
    };
  }
}
