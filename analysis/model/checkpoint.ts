/**
 * The rows of LangGraph's three Postgres tables, decoded but not interpreted. What a row means (which version wrote
 * it, what ran on its edge) is the subject of analysis/rows and analysis/executions.
 */
import type {
  ChannelName,
  CheckpointId,
  Namespace,
  NodeName,
  RunToken,
  TaskId,
  ThreadId,
} from './identifiers.ts';

/** A channel version: JS writes integers, Python `"%032d.%016s"` strings. Compare only versions of one kind. */
export type Version = number | string;

/** Channel → version. */
export type ChannelVersions = ReadonlyMap<ChannelName, Version>;

/** Node → (trigger channel → version it saw). Also holds pseudo nodes such as `__input__` and `__interrupt__`. */
export type VersionsSeen = ReadonlyMap<NodeName, ChannelVersions>;

/** Where a checkpoint came from; `other` is a value no known LangGraph version writes. */
export type CheckpointSource = 'input' | 'loop' | 'update' | 'fork' | 'other';

/** A JSON value as `JSON.parse` gives it. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };

/** One row of `checkpoints`. */
export interface CheckpointRow {
  readonly thread: ThreadId;
  readonly namespace: Namespace;
  readonly id: CheckpointId;
  /** Null for a root. The row it names may be absent: a dangling parent. */
  readonly parent: CheckpointId | null;
  /** The format's `v` (1 to 4); null when the row does not say. */
  readonly format: number | null;
  /** `checkpoint.ts`, ISO 8601 text as written; null when absent. */
  readonly timestamp: string | null;
  readonly channelVersions: ChannelVersions;
  readonly versionsSeen: VersionsSeen;
  /**
   * Primitives that Python keeps in the row; null when the row has no `channel_values` (JS). A reader may put null in
   * place of values that no analysis looks at; that the channel has one still shows.
   */
  readonly inlineValues: ReadonlyMap<ChannelName, Json> | null;
  readonly source: CheckpointSource;
  /** `metadata.step`; null when absent (a broken row). */
  readonly step: number | null;
  /** `metadata.parents`: ancestor namespace → checkpoint it hangs on. */
  readonly parents: ReadonlyMap<Namespace, CheckpointId>;
  /** The run token of our own saver wrapper (`forkscope_run`); null on foreign rows. */
  readonly run: RunToken | null;
  /** Metadata keys not named above, as JSON (old rows hold `writes` here). */
  readonly metadata: ReadonlyMap<string, Json>;
}

/** A stored value: its serialization tag and, when the reader kept them, its bytes. */
export interface StoredValue {
  /** `json`, `msgpack`, `bytes`, `null`, `empty`, `pickle`, `<type>+<cipher>` …; null when the column is NULL. */
  readonly type: string | null;
  /** Null when the column is NULL or the reader did not keep the bytes (`omitted`). */
  readonly bytes: Uint8Array | null;
  /** True when bytes exist in the source but were not read. */
  readonly omitted?: boolean;
}

/** One row of `checkpoint_blobs`. */
export interface BlobRow {
  readonly thread: ThreadId;
  readonly namespace: Namespace;
  readonly channel: ChannelName;
  /** As text, also for JS integers. */
  readonly version: string;
  readonly value: StoredValue;
}

/** One row of `checkpoint_writes`: an outcome of a task scheduled on `checkpoint`. */
export interface WriteRow {
  readonly thread: ThreadId;
  readonly namespace: Namespace;
  readonly checkpoint: CheckpointId;
  readonly task: TaskId;
  /** Position in the batch; special channels are negative (error -1, scheduled -2, interrupt -3, resume -4). */
  readonly index: number;
  readonly channel: ChannelName;
  readonly value: StoredValue;
  /** Python only; null when the column does not exist. */
  readonly taskPath: string | null;
}

/**
 * Everything a source knows of one thread. Order of rows is irrelevant to every analysis.
 * `blobs` and `writes` are null when the source has no such table, which is not the same as no rows.
 */
export interface ThreadRows {
  readonly thread: ThreadId;
  /** The schema that holds the tables, where a source has several; null otherwise. */
  readonly schema: string | null;
  readonly checkpoints: readonly CheckpointRow[];
  readonly blobs: readonly BlobRow[] | null;
  readonly writes: readonly WriteRow[] | null;
  /** True when the saver kept no history (one checkpoint a namespace): forks cannot be seen, which is not "none". */
  readonly shallow?: true;
  /** How many rows could not be read and were left out; absent: none. */
  readonly damagedRows?: number;
}
