/**
 * The lines of `history.jsonl`: what the driver did and learned, in the order it learned it. Every line is on disk
 * before the next thing happens, so a crash loses nothing that was known.
 */
import { z } from 'zod';
import type { Json } from '#analysis/model/checkpoint.ts';
import { runRecordSchema } from '../protocol/run-request.ts';

const jsonValue = z.json() as z.ZodType<Json>;
const atMs = z.number();

/** One event. Times are monotonic milliseconds of the machine that ran the series. */
export const historyEventSchema = z.discriminatedUnion('event', [
  z.object({
    event: z.literal('trial'),
    trial: z.number().int(),
    thread: z.string(),
    /** Absent in series of one arm that were stored before there were several. */
    arm: z.string().default('none'),
    atMs,
  }),
  /** An outcome that neither rows nor log hold: a state sampled in mid-trial, what a service counted. */
  z.object({
    event: z.literal('outcome'),
    trial: z.number().int(),
    key: z.string(),
    value: z.union([z.number(), z.string(), z.boolean()]),
  }),
  /** A duration that was measured in a trial, milliseconds. */
  z.object({ event: z.literal('measure'), trial: z.number().int(), key: z.string(), ms: z.number() }),
  z.object({
    event: z.literal('invoke'),
    run: z.string(),
    thread: z.string(),
    request: z.string(),
    /** The worker slot the request was sent to. */
    slot: z.number().int(),
    atMs,
  }),
  z.object({ event: z.literal('disconnect'), run: z.string(), afterChunk: z.number().int(), atMs }),
  z.object({
    event: z.enum(['ok', 'fail', 'info']),
    run: z.string(),
    /** The worker that answered; null when none did. */
    servedBy: z.string().nullable(),
    chunks: z.number().int(),
    /** What the run returned to its client; null unless `ok`. */
    returned: jsonValue,
    because: z.string().nullable(),
    atMs,
  }),
  z.object({ event: z.literal('run'), record: runRecordSchema }),
  z.object({ event: z.literal('completed'), trial: z.number().int(), atMs }),
  z.object({ event: z.literal('aborted'), trial: z.number().int(), reason: z.string(), atMs }),
  z.object({ event: z.literal('death'), slot: z.number().int(), worker: z.string(), what: z.string(), atMs }),
  z.object({
    event: z.literal('account'),
    worker: z.string(),
    finalSequence: z.number().int().nullable(),
    tableFailures: z.number().int().nullable(),
  }),
]);
/** See {@link historyEventSchema}. */
export type HistoryEvent = z.infer<typeof historyEventSchema>;
