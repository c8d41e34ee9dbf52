/**
 * A saver in memory that behaves as the JS Postgres saver does, with its defect to switch on: blobs and writes are
 * inserted ON CONFLICT DO NOTHING, and integer versions let two branches mint the same key. It writes down what it
 * did (children of every parent, inserts it dropped), which is the truth that the analysis must find from rows alone.
 */
import type {
  BlobRow,
  CheckpointRow,
  StoredValue,
  ThreadRows,
  WriteRow,
} from '#analysis/model/checkpoint.ts';
import {
  rootNamespace,
  type ChannelName,
  type CheckpointId,
  type TaskId,
  type ThreadId,
} from '#analysis/model/identifiers.ts';
import { versionText } from '#analysis/rows/versions.ts';

/** What a saver did that its rows do not say. */
export interface SaverTruth {
  /** Children of every parent, in the order of their puts; the key '' is NULL. */
  readonly children: ReadonlyMap<string, readonly CheckpointId[]>;
  /** `channel version` of every blob that was dropped because another branch had stored that version. */
  readonly dropped: ReadonlySet<string>;
}

/** One thread's saver. */
export class SimulatedSaver {
  readonly thread: ThreadId;
  private readonly checkpoints = new Map<CheckpointId, CheckpointRow>();
  private readonly blobs = new Map<string, BlobRow>();
  private readonly writes = new Map<string, WriteRow>();
  private readonly children = new Map<string, CheckpointId[]>();
  private readonly dropped = new Set<string>();

  constructor(thread: ThreadId) {
    this.thread = thread;
  }

  /** What LangGraph loads without an id: the greatest one. */
  head(): CheckpointRow | null {
    let head: CheckpointRow | null = null;
    for (const row of this.checkpoints.values()) if (head === null || row.id > head.id) head = row;
    return head;
  }

  /** A list channel's value at a row, read through its blob as every reader does. */
  list(row: CheckpointRow | null, channel: ChannelName): readonly string[] {
    const version = row?.channelVersions.get(channel);
    const blob = version === undefined ? undefined : this.blobs.get(`${channel} ${versionText(version)}`);
    const bytes = blob?.value.bytes;
    return bytes == null ? [] : (JSON.parse(new TextDecoder().decode(bytes)) as string[]);
  }

  /** Whether a channel has a value at a row; a cleared one has a blob that says so. */
  isSet(row: CheckpointRow, channel: ChannelName): boolean {
    const version = row.channelVersions.get(channel);
    const blob = version === undefined ? undefined : this.blobs.get(`${channel} ${versionText(version)}`);
    return blob !== undefined && blob.value.type !== 'empty';
  }

  /** Whether a task at a row has stored writes, which a resumed run takes instead of running it again. */
  hasWrites(checkpoint: CheckpointId, task: TaskId): boolean {
    return this.writes.has(`${checkpoint} ${task} 0`);
  }

  /** Stores a row with the blobs of the channels it changed; undefined stands for a cleared channel. */
  put(row: CheckpointRow, changed: ReadonlyMap<ChannelName, unknown>): void {
    for (const [channel, value] of changed) {
      const version = versionText(row.channelVersions.get(channel) ?? 0);
      const key = `${channel} ${version}`;
      if (this.blobs.has(key)) this.dropped.add(key);
      else {
        const { thread, namespace } = row;
        this.blobs.set(key, { thread, namespace, channel, version, value: stored(value) });
      }
    }
    this.checkpoints.set(row.id, row);
    const siblings = this.children.get(row.parent ?? '') ?? [];
    this.children.set(row.parent ?? '', [...siblings, row.id]);
  }

  /** Stores a task's writes; the first wins. */
  putWrites(
    checkpoint: CheckpointId,
    task: TaskId,
    values: readonly (readonly [ChannelName, unknown])[],
  ): void {
    values.forEach(([channel, value], index) => {
      const key = `${checkpoint} ${task} ${index}`;
      if (this.writes.has(key)) return;
      this.writes.set(key, {
        thread: this.thread,
        namespace: rootNamespace,
        checkpoint,
        task,
        index,
        channel,
        value: stored(value),
        taskPath: null,
      });
    });
  }

  /** The three tables. */
  rows(): ThreadRows {
    return {
      thread: this.thread,
      schema: null,
      checkpoints: [...this.checkpoints.values()],
      blobs: [...this.blobs.values()],
      writes: [...this.writes.values()],
    };
  }

  truth(): SaverTruth {
    return { children: this.children, dropped: this.dropped };
  }
}

function stored(value: unknown): StoredValue {
  if (value === undefined) return { type: 'empty', bytes: null };
  return { type: 'json', bytes: new TextEncoder().encode(JSON.stringify(value)) };
}
