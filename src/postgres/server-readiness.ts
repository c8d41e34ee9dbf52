/**
 * When does a server that was just started accept connections? When it lets in a client that has our password. A line
 * in its log comes too early or in another language, and an open port proves nothing: a stranger's server may have
 * taken it in the moment before ours, and then ours has already ended.
 */
import pg from 'pg';
import { invariant } from '#analysis/model/bug.ts';
import type { ProcessEnd } from './gated-process.ts';
import { textField } from './row-fields.ts';
import { errorText } from '../failure/error-text.ts';

/** What came first. */
export type Readiness =
  | { readonly kind: 'ready'; readonly version: string }
  | { readonly kind: 'ended'; readonly end: ProcessEnd }
  /** `last`: how the last attempt to connect failed. */
  | { readonly kind: 'timeout'; readonly last: string };

type Attempt = Readiness | { readonly kind: 'refused'; readonly because: string };

/** An attempt to connect is given up after this long; a stranger that never answers must not stop the waiting. */
const attemptMs = 2_000;

/**
 * Tries to connect every few milliseconds until it succeeds, the process has `ended`, or `timeoutMs` have passed. One
 * attempt begins after that time in any case: on a starved machine the time may pass within the first attempt.
 */
export async function waitUntilReady(
  dsn: string,
  ended: Promise<ProcessEnd>,
  timeoutMs: number,
): Promise<Readiness> {
  const deadline = performance.now() + timeoutMs;
  const end = ended.then((how): Attempt => ({ kind: 'ended', end: how }));
  for (;;) {
    const isLast = performance.now() >= deadline;
    const attempt = await Promise.race([end, connectOnce(dsn)]);
    if (attempt.kind !== 'refused') return attempt;
    if (isLast) return { kind: 'timeout', last: attempt.because };
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

async function connectOnce(dsn: string): Promise<Attempt> {
  const client = new pg.Client({
    connectionString: dsn,
    connectionTimeoutMillis: attemptMs,
    query_timeout: attemptMs,
  });
  client.on('error', () => undefined);
  try {
    await client.connect();
    const { rows } = await client.query<Record<string, unknown>>('SHOW server_version');
    invariant(rows[0] !== undefined, 'SHOW gives one row');
    return { kind: 'ready', version: textField(rows[0], 'server_version') };
  } catch (error) {
    return { kind: 'refused', because: errorText(error) };
  } finally {
    await client.end().catch(() => undefined);
  }
}
