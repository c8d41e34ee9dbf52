/**
 * Effects: things done to the outside world, as an effect log saw them; and the log's own health. A log is an
 * instrument that can lose records, so what it holds and what it should hold are kept apart.
 */
import type { CheckpointId, Namespace, NodeName, RunToken, TaskId, ThreadId } from './identifiers.ts';

/** One record of an effect log. Fields a foreign log lacks are null. */
export interface Effect {
  readonly thread: ThreadId;
  readonly node: NodeName;
  readonly run: RunToken | null;
  /** The checkpoint the task was planned from (`executionInfo.checkpointId`). */
  readonly parent: CheckpointId | null;
  readonly task: TaskId | null;
  /** The namespace of the rows (not of the task): `''` at the root. */
  readonly namespace: Namespace | null;
  readonly step: number | null;
  /** 1-based attempt within one run. */
  readonly attempt: number | null;
  /** When the node body ended, Unix milliseconds. */
  readonly wallMs: number | null;
  /** The same on the machine's monotonic clock, milliseconds; comparable between processes of one machine. */
  readonly monotonicMs: number | null;
  /** Which worker wrote the record (pid or name). */
  readonly worker: string | null;
  /** 1, 2, 3 … within one worker. */
  readonly sequence: number | null;
  /** What should happen once: one key for all requests that ask for the same thing. */
  readonly businessKey: string | null;
  /** The keys of the update that the node returned, as it says itself; absent: it does not say. */
  readonly returnedKeys?: readonly string[];
}

/** A worker's own account of its log: what the log must hold to be complete. */
export interface WorkerLogAccount {
  readonly worker: string;
  /** The sequence number of its last record; null when the worker died before it could say. */
  readonly finalSequence: number | null;
}

/** A gap in one worker's sequence: records certainly written and not in the log. */
export interface LostRecords {
  readonly worker: string;
  /** Missing sequence numbers, ascending. */
  readonly missing: readonly number[];
}

/** What the sequence numbers of a whole series say about its log; a thread's analysis reads it as a caution. */
export interface LogHealth {
  readonly lost: readonly LostRecords[];
  /** Workers that died before they could give their final number: their tail may be missing, which proves no loss. */
  readonly indeterminate: readonly string[];
}

/** The instruments that watched one thread. */
export interface EffectLog {
  readonly effects: readonly Effect[];
  /** The same records as an independent effects table holds them; null when there is no second instrument. */
  readonly table: readonly Effect[] | null;
  /** Null when the log carries no sequence numbers (foreign logs). */
  readonly health: LogHealth | null;
}
