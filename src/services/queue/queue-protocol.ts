/** What the worker of the queue is told before it serves. Its HTTP interface is a part of an HTTP worker's. */
import { z } from 'zod';
import { benchConfigSchema } from '../../protocol/worker-config.ts';

/** Its configuration. */
export const queueConfigSchema = z.object({ kind: z.literal('configure'), ...benchConfigSchema.shape });
/** See {@link queueConfigSchema}. */
export type QueueConfig = z.infer<typeof queueConfigSchema>;
