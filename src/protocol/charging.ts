/** How charging travels between driver and workers: what a node is told to do, and what it says that it knows. */
import { z } from 'zod';
import type { NodeName } from '#analysis/model/identifiers.ts';
import { callerViews, type CallerRecord } from '#analysis/model/provider.ts';
import { keySources, type Charging } from '#trials/provider.ts';

/** Part of a run's request. */
export const chargingSchema = z.object({
  key: z.enum(keySources),
  obeysSignal: z.boolean(),
}) satisfies z.ZodType<Charging>;

/** Part of a run's record. */
export const callerRecordSchema = z.object({
  node: z.string().transform((text) => text as NodeName),
  businessKey: z.string(),
  key: z.string().nullable(),
  knows: z.enum(callerViews),
  status: z.number().int().nullable(),
  charge: z.string().nullable(),
  isReplayed: z.boolean(),
  conflicts: z.number().int(),
  beganMs: z.number(),
  sentMs: z.number().nullable(),
  endedMs: z.number(),
  because: z.string().nullable(),
}) satisfies z.ZodType<CallerRecord>;
