/**
 * Real dumps as evidence for tests: rows written by real LangGraph services, with their effect logs and the truth
 * about them. The text comes from a packed file beside this one; reading the file is the test's business. Easy to get
 * wrong: real rows carry no run token, so by default neither does the evidence; `withRuns` adds what the harness that
 * made them knew, as our own saver wrapper would have stored it.
 */
import type { Effect } from '#analysis/model/effect.ts';
import type { ThreadEvidence } from '#analysis/model/evidence.ts';
import type {
  CheckpointId,
  Namespace,
  NodeName,
  RunToken,
  TaskId,
  ThreadId,
} from '#analysis/model/identifiers.ts';
import type { Json } from '#analysis/model/checkpoint.ts';
import type { RunOutcome } from '#analysis/model/run.ts';
import { decodeCheckpoint } from '#analysis/rows/decode-checkpoint.ts';
import { decodeBlob, decodeWrite } from '#analysis/rows/decode-tables.ts';

/** The truth about one namespace, computed when the dump was made. */
export interface NamespaceTruth {
  readonly checkpoint_count: number;
  readonly forks: readonly { readonly parent: string; readonly children: readonly string[] }[];
  readonly roots: readonly string[];
  readonly leaves: readonly string[];
  readonly head: string;
  readonly head_counts: Readonly<Record<string, number>> | null;
  readonly head_lineage_length: number;
  readonly dangling_parents: readonly unknown[];
  readonly shared_versions?: readonly {
    readonly channel: string;
    readonly version: number | string;
    readonly introducers: readonly string[];
  }[];
  readonly misread: readonly { readonly checkpoint_id: string; readonly equal: boolean }[];
  readonly writers: readonly (readonly [string, string])[];
}

/** The truth about one thread. */
export interface ThreadTruth {
  readonly case: string | null;
  readonly description: string | null;
  readonly executed: Readonly<Record<string, number>>;
  readonly next: readonly string[] | null;
  readonly runs: readonly { readonly run: string; readonly outcome: string; readonly returned: Json }[];
  readonly namespaces: readonly (readonly [string, NamespaceTruth])[];
}

/** One thread of a packed corpus. */
export interface CorpusThread {
  readonly thread: ThreadId;
  readonly truth: ThreadTruth | null;
  /** As a dump and its effect log show it. */
  readonly evidence: ThreadEvidence;
  /** As our own harness would have recorded it: run tokens on rows, and the runs themselves. */
  readonly withRuns: ThreadEvidence;
}

type PackedCheckpoint = readonly [string, string, string | null, unknown, Readonly<Record<string, unknown>>];
type PackedBlob = readonly [string, string, string, string, string | null];
type PackedWrite = readonly [string, string, string, string, string, string | null, string | null, string | null];

interface PackedEffect {
  readonly ts: number;
  readonly node: string;
  readonly pid?: number;
  readonly run: string | null;
  readonly task_id?: string | null;
  readonly parent_checkpoint_id?: string | null;
  readonly checkpoint_ns?: string | null;
  readonly row_ns?: string | null;
  readonly step?: number | null;
  readonly attempt?: number | null;
}

interface PackedThread {
  readonly thread: string;
  readonly checkpoints: readonly PackedCheckpoint[];
  readonly blobs: readonly PackedBlob[];
  readonly writes: readonly PackedWrite[];
  readonly effects: readonly PackedEffect[];
  readonly truth: ThreadTruth | null;
}

/** Reads a packed corpus, one thread a line. */
export function corpusThreads(text: string): CorpusThread[] {
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => unpack(JSON.parse(line) as PackedThread));
}

function unpack(packed: PackedThread): CorpusThread {
  const thread = packed.thread as ThreadId;
  const writers = new Map(packed.truth?.namespaces.flatMap(([, truth]) => truth.writers) ?? []);
  const bare = evidenceOf(packed, thread, new Map());
  const tagged = evidenceOf(packed, thread, writers);
  const runs = (packed.truth?.runs ?? []).map(({ run, outcome, returned }) => ({
    run: run as RunToken,
    thread,
    worker: '',
    outcome: runOutcome(outcome),
    firstReadMs: null,
    lastPutMs: null,
    cancelledMs: null,
    returned,
    error: null,
  }));
  return { thread, truth: packed.truth, evidence: bare, withRuns: { ...tagged, runs } };
}

function runOutcome(outcome: string): RunOutcome {
  if (outcome === 'completed') return 'completed';
  if (outcome === 'error') return 'errored';
  return ['aborted', 'broke', 'cancelled', 'premature-close'].includes(outcome) ? 'cancelled' : 'indeterminate';
}

function evidenceOf(
  packed: PackedThread,
  thread: ThreadId,
  writers: ReadonlyMap<string, string>,
): ThreadEvidence {
  const checkpoints = packed.checkpoints.map(([namespace, id, parent, checkpoint, metadata]) => {
    const run = writers.get(id);
    return decodeCheckpoint({
      thread_id: thread,
      checkpoint_ns: namespace,
      checkpoint_id: id,
      parent_checkpoint_id: parent,
      checkpoint,
      metadata: run === undefined ? metadata : { ...metadata, forkscope_run: run },
    });
  });
  const blobs = packed.blobs.map(([namespace, channel, version, type, blob]) =>
    decodeBlob({ thread_id: thread, checkpoint_ns: namespace, channel, version, type, blob: bytes(blob) }),
  );
  const writes = packed.writes.map(([namespace, id, task, idx, channel, type, blob, path]) =>
    decodeWrite({
      thread_id: thread,
      checkpoint_ns: namespace,
      checkpoint_id: id,
      task_id: task,
      idx,
      channel,
      type,
      blob: bytes(blob),
      task_path: path,
    }),
  );
  const effects = packed.effects.map((effect) => decodeEffect(thread, effect));
  return {
    rows: {
      thread,
      schema: null,
      checkpoints,
      blobs,
      writes,
      // The shallow saver's blobs have no version.
      ...(blobs.some((blob) => blob.version === '') ? { shallow: true as const } : {}),
    },
    log: { effects, table: null, health: null },
    runs: null,
  };
}

function bytes(base64: string | null): Uint8Array | null {
  return base64 === null ? null : Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
}

function decodeEffect(thread: ThreadId, packed: PackedEffect): Effect {
  const taskNamespace = packed.checkpoint_ns ?? null;
  const cut = taskNamespace === null ? -1 : taskNamespace.lastIndexOf('|');
  const rowNamespace = taskNamespace === null ? null : cut < 0 ? '' : taskNamespace.slice(0, cut);
  return {
    thread,
    node: packed.node as NodeName,
    run: packed.run as RunToken | null,
    parent: (packed.parent_checkpoint_id ?? null) as CheckpointId | null,
    task: (packed.task_id ?? null) as TaskId | null,
    namespace: (packed.row_ns ?? rowNamespace) as Namespace | null,
    step: packed.step ?? null,
    attempt: packed.attempt ?? null,
    wallMs: packed.ts * 1000,
    monotonicMs: null,
    worker: packed.pid === undefined ? null : String(packed.pid),
    sequence: null,
    businessKey: null,
  };
}
