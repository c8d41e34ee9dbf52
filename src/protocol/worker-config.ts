/**
 * What the primary tells a worker before it serves, and what a worker tells the primary. Sent over IPC, never in
 * argv or the environment: the DSN holds a password.
 */
import { z } from 'zod';

/** What every process that runs the graph of a series is told. */
export const benchConfigSchema = z.object({
  dsn: z.string(),
  schema: z.string(),
  scenario: z.string(),
  /** The file that holds the scenario; null: it is built in. */
  scenarioFile: z.string().nullable(),
  /** Multiplies the delays that the graph declares. */
  scale: z.number().nonnegative(),
  effectsFile: z.string(),
  /** Addresses of the services that run beside the workers, by name. */
  services: z.record(z.string(), z.string()),
});
/** See {@link benchConfigSchema}. */
export type BenchConfig = z.infer<typeof benchConfigSchema>;

/** The primary's first message to a worker. */
export const workerConfigSchema = z.object({
  kind: z.literal('configure'),
  /** 1-based slot; a replacement takes the slot of the worker it replaces. */
  slot: z.number().int().positive(),
  ...benchConfigSchema.shape,
  /** Port shared by all workers; 0 lets the system choose. */
  sharedPort: z.number().int().nonnegative(),
});
/** See {@link workerConfigSchema}. */
export type WorkerConfig = z.infer<typeof workerConfigSchema>;

/** What a worker sends its primary over IPC. */
export const workerMessageSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('waiting') }),
  z.object({ kind: z.literal('listening'), ownPort: z.number().int(), sharedPort: z.number().int() }),
  /** The worker cannot do its work and nothing the scenario does explains it (a log that cannot be written). */
  z.object({ kind: z.literal('broken'), what: z.string(), remedy: z.string() }),
]);
/** See {@link workerMessageSchema}. */
export type WorkerMessage = z.infer<typeof workerMessageSchema>;
