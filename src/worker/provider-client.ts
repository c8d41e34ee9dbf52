/**
 * One charge at the payment provider, as a careful service makes it: over HTTP, with a key where there is one, and with
 * an honest account of what it knows afterwards. Easy to get wrong: an error does not mean that nothing was charged.
 * Only a refusal, or a request that never left, says so; a lost connection, an abort and a 5xx say nothing.
 */
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import type { CallerRecord } from '#analysis/model/provider.ts';
import type { NodeName } from '#analysis/model/identifiers.ts';
import { monotonicMs } from '../protocol/monotonic.ts';
import {
  chargeErrorSchema,
  chargeListSchema,
  chargeSchema,
  keyHeader,
  replayedHeader,
  traceHeaders,
} from '../services/provider/provider-protocol.ts';
import { errorText } from '../failure/error-text.ts';

/** What is to be charged, and for whom. */
export interface ChargeOrder {
  readonly thread: string;
  readonly run: string;
  readonly node: string;
  readonly businessKey: string;
  /** Null: the provider charges every time. */
  readonly key: string | null;
  /** Ends the call; null: nothing does. */
  readonly signal: AbortSignal | null;
}

/** The price of a booking; every request for one has the same. */
const price = { amount: 4200, currency: 'eur' } as const;
const conflict = 409;
const serverErrors = 500;
/** Stripe's libraries try again on a conflict too (stripe-node, RequestSender); the pauses are our own. */
const firstPauseMs = 10;
const longestPauseMs = 200;
/** A key that is in use for so long belongs to a call that hangs. */
const patienceMs = 30_000;

type Knowledge = Pick<CallerRecord, 'knows' | 'status' | 'charge' | 'isReplayed' | 'because'>;

/** Makes one charge and says what is known of it. Never rejects. */
export async function charge(address: string, order: ChargeOrder): Promise<CallerRecord> {
  const beganMs = monotonicMs();
  let sentMs: number | null = null;
  let conflicts = 0;
  let pauseMs = firstPauseMs;
  for (;;) {
    const known = await post(address, order, () => (sentMs ??= monotonicMs()));
    const endedMs = monotonicMs();
    const { businessKey, key } = order;
    const record = { node: order.node as NodeName, businessKey, key, ...known, beganMs, sentMs, endedMs };
    if (known.status !== conflict) return { ...record, conflicts };
    conflicts += 1;
    const goesOn = endedMs - beganMs < patienceMs && (await paused(pauseMs, order.signal));
    // Another call with the key runs, so whether it charges is open.
    if (!goesOn) return { ...record, conflicts, knows: 'unknown', endedMs: monotonicMs() };
    pauseMs = Math.min(2 * pauseMs, longestPauseMs);
  }
}

/** Asks whether there is a charge for a business key; null when there is none. Rejects when the provider does not say. */
export async function chargeFor(address: string, businessKey: string): Promise<string | null> {
  const query = new URLSearchParams({ business_key: businessKey }).toString();
  const answer = await new Promise<IncomingMessage>((resolve, reject) => {
    httpRequest(`${address}/charges?${query}`, { agent: false }, resolve).once('error', reject).end();
  });
  return chargeListSchema.parse(JSON.parse(await text(answer))).data[0]?.id ?? null;
}

async function post(address: string, order: ChargeOrder, onSent: () => void): Promise<Knowledge> {
  const { thread, run, node, businessKey, key, signal } = order;
  if (signal?.aborted === true) return nothing('unsent', 'the run was aborted before the request left');
  const sent = { mayHaveLeft: false };
  try {
    const response = await new Promise<IncomingMessage>((resolve, reject) => {
      const client = httpRequest(`${address}/charges`, {
        method: 'POST',
        // A kept connection that the provider closes in this moment would look like a lost answer.
        agent: false,
        ...(signal === null ? {} : { signal }),
        headers: {
          'content-type': 'application/json',
          [traceHeaders.thread]: encodeURIComponent(thread),
          [traceHeaders.run]: encodeURIComponent(run),
          [traceHeaders.node]: encodeURIComponent(node),
          ...(key === null ? {} : { [keyHeader]: key }),
        },
      });
      client.once('socket', (socket) => {
        socket.once('connect', () => (sent.mayHaveLeft = true));
      });
      client.once('finish', onSent);
      client.once('response', resolve);
      client.once('error', reject);
      client.end(JSON.stringify({ businessKey, ...price }));
    });
    return knowledgeOf(response, await text(response));
  } catch (error) {
    const because = errorText(error);
    return nothing(sent.mayHaveLeft ? 'unknown' : 'unsent', because);
  }
}

function knowledgeOf({ statusCode = 0, headers }: IncomingMessage, body: string): Knowledge {
  const isReplayed = headers[replayedHeader] === 'true';
  if (statusCode === 200) {
    const { id } = chargeSchema.parse(JSON.parse(body));
    return { knows: 'confirmed', status: statusCode, charge: id, isReplayed, because: null };
  }
  const { error } = chargeErrorSchema.parse(JSON.parse(body));
  const because = `the provider answered ${statusCode} ${error.code ?? error.type}`;
  const knows = statusCode >= serverErrors ? 'unknown' : 'refused';
  return { knows, status: statusCode, charge: null, isReplayed, because };
}

function nothing(knows: 'unsent' | 'unknown', because: string): Knowledge {
  return { knows, status: null, charge: null, isReplayed: false, because };
}

async function paused(ms: number, signal: AbortSignal | null): Promise<boolean> {
  try {
    await delay(ms, undefined, signal === null ? {} : { signal });
    return true;
  } catch {
    return false;
  }
}
