/** One line of our own effect log, decoded into an effect. Foreign logs come through a mapping instead. */
import { z } from 'zod';
import type { Effect } from '#analysis/model/effect.ts';
import type {
  CheckpointId,
  Namespace,
  NodeName,
  RunToken,
  TaskId,
  ThreadId,
} from '#analysis/model/identifiers.ts';

/** The keys are those of `EffectRecord` in src/worker/effect-log.ts, which is checked by a test of both. */
export const effectSchema = z
  .object({
    run: z.string().nullable(),
    thread: z.string(),
    node: z.string(),
    worker: z.string(),
    parent_checkpoint_id: z.string().nullable(),
    task_id: z.string().nullable(),
    checkpoint_ns: z.string().nullable(),
    step: z.number().nullable(),
    attempt: z.number().nullable(),
    wall_ms: z.number(),
    monotonic_ms: z.number(),
    /** Null: the series holds a part of the worker's records, so that gaps would mean nothing. */
    seq: z.number().int().nullable(),
    business_key: z.string().nullable(),
    returned_keys: z.array(z.string()).optional(),
  })
  .transform((line): Effect => ({
    run: line.run as RunToken | null,
    thread: line.thread as ThreadId,
    node: line.node as NodeName,
    worker: line.worker,
    parent: line.parent_checkpoint_id as CheckpointId | null,
    task: line.task_id as TaskId | null,
    namespace: line.checkpoint_ns as Namespace | null,
    step: line.step,
    attempt: line.attempt,
    wallMs: line.wall_ms,
    monotonicMs: line.monotonic_ms,
    sequence: line.seq,
    businessKey: line.business_key,
    ...(line.returned_keys === undefined ? {} : { returnedKeys: line.returned_keys }),
  }));
