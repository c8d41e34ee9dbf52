/** The HTTP interface of a worker: what a client posts, what it reads back, and what the primary asks about a run. */
import { z } from 'zod';
import type { RunToken, ThreadId } from '#analysis/model/identifiers.ts';
import type { Json } from '#analysis/model/checkpoint.ts';
import type { RunRecord } from '#analysis/model/run.ts';
import { durabilities } from '#trials/scenario.ts';
import { callerRecordSchema, chargingSchema } from './charging.ts';

const thread = z.string().transform((text) => text as ThreadId);
const jsonValue = z.json() as z.ZodType<Json>;
const run = z.string().transform((text) => text as RunToken);

/** Body of `POST /runs`. The answer is a stream of {@link runEventSchema} as server-sent events. */
export const runRequestSchema = z.object({
  thread,
  run,
  input: z.record(z.string(), z.unknown()).nullable(),
  /** The answer to an interrupt, which replaces the input; an object, since null is an answer too. */
  resume: z.object({ value: jsonValue }).optional(),
  /** The checkpoint to start from; left out: the saver loads the head. */
  checkpoint: z.string().optional(),
  durability: z.enum(durabilities),
  /** The arm's: how the run is served, what admits it, and which versions its saver mints. */
  handler: z.string(),
  guard: z.string(),
  versions: z.enum(['integers', 'strings']),
  /** Its saver uses a pool that two runs are enough to exhaust; left out: a large one. */
  smallSaverPool: z.boolean().optional(),
  /** Its nodes stop working when the run is aborted; left out: they go on, as most do. */
  nodesObeySignal: z.boolean().optional(),
  /** How its nodes charge at the provider; left out: they do not. */
  charging: chargingSchema.optional(),
  /** When the queue gives it out again, where a queue does; left out: it does not. */
  queue: z
    .object({ expiresAfterSeconds: z.number().positive(), redeliveries: z.number().int().nonnegative() })
    .optional(),
  /** Joins the stream of a run that was accepted before, behind the event of that id; nothing is started. */
  lastEventId: z.string().optional(),
  /** What should happen once; a worker appends the node's name. */
  businessKey: z.string(),
});
/** See {@link runRequestSchema}. */
export type RunRequest = z.infer<typeof runRequestSchema>;

/** One server-sent event of a run. `chunk` is one `updates` chunk of the graph; `result` or `failed` is the last event. */
export const runEventSchema = z.discriminatedUnion('event', [
  z.object({ event: z.literal('accepted'), worker: z.string(), slot: z.number() }),
  /** A mitigation holds the run back; it has not read anything yet. */
  z.object({ event: z.literal('waiting') }),
  /** The run has read the checkpoint it starts from: which one it races with is decided. */
  z.object({ event: z.literal('loaded') }),
  z.object({ event: z.literal('chunk'), update: jsonValue }),
  z.object({ event: z.literal('result'), run, state: jsonValue }),
  z.object({ event: z.literal('failed'), run, error: z.string() }),
  /** A mitigation that waits gave up; one that does not wait answers 409 instead. */
  z.object({ event: z.literal('refused'), run, because: z.string() }),
]);
/** See {@link runEventSchema}. */
export type RunEvent = z.infer<typeof runEventSchema>;

/** How a run went. */
export const runRecordSchema = z.object({
  run,
  thread,
  worker: z.string(),
  outcome: z.enum(['completed', 'cancelled', 'errored', 'refused', 'indeterminate']),
  firstReadMs: z.number().nullable(),
  lastPutMs: z.number().nullable(),
  cancelledMs: z.number().nullable(),
  returned: jsonValue,
  error: z.string().nullable(),
  calls: z.array(callerRecordSchema).readonly().optional(),
}) satisfies z.ZodType<RunRecord>;

/** Answer of `GET /runs?run=…&until=ended|quiet`: the run, and each time that a queue gave it out again. */
export const runRecordsSchema = z.array(runRecordSchema).min(1).readonly();

/** Answer of `GET /threads?thread=…`: what a reader of the thread sees now. */
export const threadSampleSchema = z.object({
  /** Checkpoints of all namespaces. */
  rows: z.number().int(),
  /** What would run next, as `getState` says. */
  next: z.array(z.string()),
});
/** See {@link threadSampleSchema}. */
export type ThreadSample = z.infer<typeof threadSampleSchema>;

/** Answer of `GET /checkpoints?thread=…[&before=node]`; null when there is no such checkpoint. */
export const chosenCheckpointSchema = z.object({ checkpoint: z.string().nullable() });

/** Answer of `POST /drain`: the account a worker gives of its effect log. */
export const drainAnswerSchema = z.object({
  worker: z.string(),
  finalSequence: z.number().int().nonnegative(),
  /** Records the effects table refused; the file still has them. */
  tableFailures: z.number().int().nonnegative(),
});
/** See {@link drainAnswerSchema}. */
export type DrainAnswer = z.infer<typeof drainAnswerSchema>;

/** `ended`: the run's loop is over and its rows are stored. `quiet`: its node bodies have ended as well. */
export type Until = 'ended' | 'quiet';
