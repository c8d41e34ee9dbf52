/**
 * `POST /charges`: one call from its body to its answer, with what goes wrong on the way. Easy to get wrong: the caller
 * leaving changes nothing. A provider that has a whole request carries it out; nobody is left to learn of it.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { noFaults, type ProviderFaults } from '#trials/provider.ts';
import type { Caller, ChargeBook } from './charge-book.ts';
import type { IdempotencyTable } from './idempotency-table.ts';
import {
  chargeBodySchema,
  keyHeader,
  longestKey,
  replayedHeader,
  traceHeaders,
  type ChargeBody,
  type ChargeError,
} from './provider-protocol.ts';

/** What calls are served with. */
export interface Counter {
  readonly book: ChargeBook;
  readonly keys: IdempotencyTable<Answer>;
  /** What goes wrong with the first call of a run; taken out when that call comes. */
  readonly faults: Map<string, ProviderFaults>;
  /** Multiplies the delays of faults. */
  readonly scale: number;
}

/** An answer, with what the log says of it. */
export interface Answer {
  readonly status: number;
  readonly body: unknown;
  readonly charge: string | null;
  readonly code: string | null;
}

/** Serves a call whose body has arrived. Resolves when it is answered, or lost. */
export async function serveCharge(
  counter: Counter,
  request: IncomingMessage,
  response: ServerResponse,
  raw: unknown,
): Promise<void> {
  const { book, keys } = counter;
  const body = chargeBodySchema.safeParse(raw);
  const key = keyOf(request);
  if (!body.success || (key !== null && (key === '' || key.length > longestKey))) {
    const message = body.success ? `a key has 1 to ${longestKey} characters` : body.error.message;
    write(response, refusal(400, 'invalid_request_error', null, message), false);
    return;
  }
  const caller = callerOf(request);
  const call = book.received(caller, body.data.businessKey, key);
  response.once('close', () => {
    book.closed(call, response.writableFinished ? 'sent' : 'lost');
  });
  const tell = (answer: Answer, replayOf: number | null): void => {
    book.answered(call, { status: answer.status, charge: answer.charge, code: answer.code, replayOf });
    write(response, answer, replayOf !== null);
  };
  const admission = key === null ? { kind: 'first' as const } : keys.admit(key, parametersOf(body.data));
  switch (admission.kind) {
    case 'replay':
      tell(admission.answer, admission.call);
      return;
    case 'in-use':
      tell(
        refusal(409, 'invalid_request_error', 'idempotency_key_in_use', 'a call with this key runs'),
        null,
      );
      return;
    case 'other-parameters':
      tell(refusal(400, 'idempotency_error', null, 'this key was used with other parameters'), null);
      return;
    case 'first':
      break;
  }
  const faults = takeFaults(counter.faults, caller);
  const answer = await carryOut(counter, call, body.data, faults);
  if (key !== null) keys.keep(key, answer, call);
  if (faults.answer === 'lost') {
    const { status, charge, code } = answer;
    book.answered(call, { status, charge, code, replayOf: null });
    request.socket.destroy();
  } else tell(answer, null);
}

async function carryOut(
  { book, scale }: Counter,
  call: number,
  body: ChargeBody,
  faults: ProviderFaults,
): Promise<Answer> {
  const failed = refusal(500, 'api_error', null, 'the provider failed');
  const asked = book.timesAsked(body.businessKey);
  if (faults.holds === 'charge') await book.untilAskedMore(body.businessKey, asked);
  await pause(faults.commitAfterMs * scale);
  if (faults.answer === 'error-before') return failed;
  const charge = book.commit(call, body);
  if (faults.holds === 'answer') await book.untilAskedMore(body.businessKey, asked);
  await pause(faults.answerAfterMs * scale);
  if (faults.answer === 'error-after') return failed;
  return { status: 200, body: charge, charge: charge.id, code: null };
}

/** A pause of nothing must not take a turn of a timer: callers are told as fast as the machine can. */
async function pause(ms: number): Promise<void> {
  if (ms > 0) await delay(ms);
}

function takeFaults(all: Map<string, ProviderFaults>, { run }: Caller): ProviderFaults {
  const faults = run === null ? undefined : all.get(run);
  if (run !== null) all.delete(run);
  return faults ?? noFaults;
}

function refusal(status: number, type: string, code: string | null, message: string): Answer {
  const body: ChargeError = { error: { type, code, message } };
  return { status, body, charge: null, code: code ?? type };
}

function write(response: ServerResponse, { status, body }: Answer, isReplayed: boolean): void {
  if (response.destroyed) return;
  response.writeHead(status, {
    'content-type': 'application/json',
    ...(isReplayed ? { [replayedHeader]: 'true' } : {}),
  });
  response.end(JSON.stringify(body));
}

function parametersOf({ businessKey, amount, currency }: ChargeBody): string {
  return JSON.stringify([businessKey, amount, currency]);
}

function keyOf(request: IncomingMessage): string | null {
  const value = request.headers[keyHeader];
  return typeof value === 'string' ? value : null;
}

function callerOf(request: IncomingMessage): Caller {
  return {
    thread: named(request, traceHeaders.thread) as Caller['thread'],
    run: named(request, traceHeaders.run) as Caller['run'],
    node: named(request, traceHeaders.node) as Caller['node'],
  };
}

function named(request: IncomingMessage, header: string): string | null {
  const value = request.headers[header];
  if (typeof value !== 'string') return null;
  try {
    return decodeURIComponent(value);
  } catch {
    return value; // a caller that does not encode
  }
}
