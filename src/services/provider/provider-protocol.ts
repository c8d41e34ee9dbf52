/**
 * What goes over the wire to and from the payment provider. Easy to get wrong: who calls (thread, run, node) travels in
 * headers, never in the body. A provider compares the parameters of two calls with one key, and a retry by another run
 * has to be the same call.
 */
import { z } from 'zod';
import type { ProviderCall, ProviderEvent } from '#analysis/model/provider.ts';
import type { NodeName, RunToken, ThreadId } from '#analysis/model/identifiers.ts';
import { answerFates, heldParts, providerMoments, type ProviderFaults } from '#trials/provider.ts';

/** The header of the idempotency key. *Source*: docs.stripe.com/api/idempotent_requests. */
export const keyHeader = 'idempotency-key';
/** Longest key. *Source*: the same page. */
export const longestKey = 255;
/** On an answer that repeats an earlier one. *Source*: docs.stripe.com/error-low-level. */
export const replayedHeader = 'idempotent-replayed';
/** Headers that say who calls, percent-encoded. */
export const traceHeaders = {
  thread: 'x-forkscope-thread',
  run: 'x-forkscope-run',
  node: 'x-forkscope-node',
} as const;

/** Body of `POST /charges`: the parameters that are compared. */
export const chargeBodySchema = z.strictObject({
  businessKey: z.string().min(1),
  /** In the smallest unit of the currency. */
  amount: z.number().int().positive(),
  currency: z.string().length(3),
});
/** See {@link chargeBodySchema}. */
export type ChargeBody = z.infer<typeof chargeBodySchema>;

/** A charge, as the provider tells of it. */
export const chargeSchema = z.object({ id: z.string(), ...chargeBodySchema.shape });
/** See {@link chargeSchema}. */
export type Charge = z.infer<typeof chargeSchema>;

/** An error, in Stripe's shape. */
export const chargeErrorSchema = z.object({
  error: z.object({ type: z.string(), code: z.string().nullable(), message: z.string() }),
});
/** See {@link chargeErrorSchema}. */
export type ChargeError = z.infer<typeof chargeErrorSchema>;

/** Answer of `GET /charges?business_key=…`. */
export const chargeListSchema = z.object({ data: z.array(chargeSchema) });

/** Body of `PUT /faults`: for the first call of that run. */
export const faultsSchema = z.object({
  run: z.string(),
  faults: z.object({
    holds: z.enum(heldParts).nullable(),
    commitAfterMs: z.number().nonnegative(),
    answerAfterMs: z.number().nonnegative(),
    answer: z.enum(answerFates),
  }) satisfies z.ZodType<ProviderFaults>,
});

/** Query of `GET /moments`: answers when a call of the run has come so far. */
export const momentQuerySchema = z.object({
  run: z.string().transform((text) => text as RunToken),
  moment: z.enum(providerMoments),
});

const branded = <T extends string>() => z.string().transform((text) => text as T);
const thread = branded<ThreadId>().nullable();
const run = branded<RunToken>().nullable();
const node = branded<NodeName>().nullable();
const call = z.number().int();
const atMs = z.number();

/** One line of the provider's log. */
export const providerEventSchema = z.discriminatedUnion('event', [
  z.object({
    event: z.literal('received'),
    ...{ call, thread, run, node },
    businessKey: z.string(),
    key: z.string().nullable(),
    atMs,
  }),
  z.object({ event: z.literal('committed'), call, charge: z.string(), atMs }),
  z.object({
    event: z.literal('answered'),
    call,
    status: z.number().int(),
    charge: z.string().nullable(),
    code: z.string().nullable(),
    replayOf: call.nullable(),
    atMs,
  }),
  z.object({ event: z.literal('closed'), call, answer: z.enum(['sent', 'lost']), atMs }),
]) satisfies z.ZodType<ProviderEvent>;

/** Answer of `GET /calls?thread=…`. */
export const callsSchema = z.object({
  calls: z.array(
    z.object({
      ...{ call, thread, run, node },
      businessKey: z.string(),
      key: z.string().nullable(),
      receivedMs: atMs,
      made: z.object({ charge: z.string(), atMs }).nullable(),
      answer: z
        .object({
          status: z.number().int(),
          charge: z.string().nullable(),
          code: z.string().nullable(),
          replayOf: call.nullable(),
          atMs,
        })
        .nullable(),
      closed: z.object({ answer: z.enum(['sent', 'lost']), atMs }).nullable(),
    }) satisfies z.ZodType<ProviderCall>,
  ),
});

/** From the series to its provider, over IPC. */
export const providerConfigSchema = z.object({
  kind: z.literal('configure'),
  logFile: z.string(),
  /** Multiplies the delays of faults. */
  scale: z.number().nonnegative(),
});
/** See {@link providerConfigSchema}. */
export type ProviderConfig = z.infer<typeof providerConfigSchema>;
