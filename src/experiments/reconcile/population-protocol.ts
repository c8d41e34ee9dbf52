/**
 * What the primary and a process that makes threads tell each other. Sent over IPC: the DSN holds a password. Easy to
 * get wrong: a process that is to be killed tells that a node is held, and never that its row is stored; that the
 * primary sees for itself, in the database.
 */
import { z } from 'zod';
import { durabilities } from '#trials/scenario.ts';
import { populationPaths } from '#trials/experiments/reconcile.ts';

/** From the primary. */
export const populationCommandSchema = z.discriminatedUnion('do', [
  z.object({
    do: z.literal('configure'),
    dsn: z.string(),
    schema: z.string(),
    durability: z.enum(durabilities),
    /** A lease ends so long after its last heartbeat. */
    leaseMs: z.number().positive(),
    heartbeatMs: z.number().positive(),
  }),
  /** Starts a run on a thread of its own. `isAborted`: its signal fires as soon as its node is held. */
  z.object({
    do: z.literal('run'),
    thread: z.string(),
    path: z.enum(populationPaths),
    isHeld: z.boolean(),
    isAborted: z.boolean(),
  }),
  /** Lets every held node go on. */
  z.object({ do: z.literal('open') }),
]);
/** See {@link populationCommandSchema}. */
export type PopulationCommand = z.infer<typeof populationCommandSchema>;

/** How a run ended, as its process saw it. `asked`: interrupt() stopped it; `paused`: a static breakpoint did. */
export const runEnds = ['ended', 'asked', 'paused', 'failed', 'aborted'] as const;
/** One of {@link runEnds}. */
export type RunEnd = (typeof runEnds)[number];

/** To the primary. */
export const populationMessageSchema = z.discriminatedUnion('say', [
  /** The process waits for its configuration. */
  z.object({ say: z.literal('waiting') }),
  z.object({ say: z.literal('ready') }),
  /** A node of the thread has begun and does not go on by itself. */
  z.object({ say: z.literal('held'), thread: z.string() }),
  /** The run is over, its rows are stored and its node bodies have ended. */
  z.object({
    say: z.literal('over'),
    thread: z.string(),
    end: z.enum(runEnds),
    because: z.string().nullable(),
  }),
  /** The process cannot do its work. */
  z.object({ say: z.literal('broken'), because: z.string() }),
]);
/** See {@link populationMessageSchema}. */
export type PopulationMessage = z.infer<typeof populationMessageSchema>;
