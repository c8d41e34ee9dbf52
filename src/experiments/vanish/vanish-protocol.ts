/**
 * What the primary and a service under test tell each other beside HTTP. Sent over IPC: the DSN holds a password. Easy to
 * get wrong: none of it may matter to what the service does with a run; it is how the primary watches.
 */
import { z } from 'zod';
import { answerPolicies } from '#trials/experiments/vanish.ts';
import { durabilities } from '#trials/scenario.ts';

/** From the primary. */
export const vanishCommandSchema = z.discriminatedUnion('do', [
  z.object({
    do: z.literal('configure'),
    /** Of the ledger and the effects. */
    dsn: z.string(),
    schema: z.string(),
    /** Of the saver: another way to the same server, or tables that do not exist. */
    saverDsn: z.string(),
    saverSchema: z.string(),
    durability: z.enum(durabilities),
    answer: z.enum(answerPolicies),
    scale: z.number().positive(),
    leaseMs: z.number().positive(),
    heartbeatMs: z.number().positive(),
    effectsFile: z.string(),
    /** What SIGTERM does: close the server and exit, or also wait for first rows. */
    onSigterm: z.enum(['close', 'drain']),
  }),
  /** Takes up what is left lying until nothing is. */
  z.object({ do: z.literal('reap'), limits: z.lazy(() => reapLimitsSchema) }),
]);
/** See {@link vanishCommandSchema}. */
export type VanishCommand = z.infer<typeof vanishCommandSchema>;

/** When a reaper takes a run, milliseconds since its last heartbeat, and when it gives up. */
export const reapLimitsSchema = z.object({
  /** For a run without a checkpoint: it can be started anew from its payload. */
  shortMs: z.number().positive(),
  /** For one with a checkpoint: it is resumed. */
  longMs: z.number().positive(),
  /** A run that was attempted so often is quarantined. */
  attemptCap: z.int().positive(),
  /** Only runs whose id begins so. */
  prefix: z.string(),
});
/** See {@link reapLimitsSchema}. */
export type ReapLimits = z.infer<typeof reapLimitsSchema>;

/** To the primary. Times are the machine's monotonic clock, milliseconds. */
export const vanishMessageSchema = z.discriminatedUnion('say', [
  z.object({ say: z.literal('waiting') }),
  z.object({ say: z.literal('ready'), port: z.int() }),
  /** The answer 202 was handed to the socket. */
  z.object({ say: z.literal('answered'), run: z.string(), atMs: z.number() }),
  /** The first row of the run is committed. */
  z.object({ say: z.literal('stored'), run: z.string(), atMs: z.number() }),
  /** Its end is in the ledger. */
  z.object({ say: z.literal('over'), run: z.string(), atMs: z.number() }),
  z.object({ say: z.literal('reaped') }),
  z.object({ say: z.literal('broken'), because: z.string() }),
]);
/** See {@link vanishMessageSchema}. */
export type VanishMessage = z.infer<typeof vanishMessageSchema>;

/** What a client posts. */
export const orderSchema = z.object({
  run: z.string(),
  thread: z.string(),
  /** Lines that the order's report has; so many that they fill the heap end the worker. */
  lines: z.int().nonnegative(),
});
/** See {@link orderSchema}. */
export type Order = z.infer<typeof orderSchema>;
