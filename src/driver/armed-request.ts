/**
 * One request of a client, in two moves. Arming opens the socket and sends the head; releasing sends the body, and
 * only then does the worker begin. So requests released together start within one turn of this process's event
 * loop, whatever their connections cost.
 */
import { request as httpRequest, type ClientRequest, type IncomingMessage } from 'node:http';
import { createParser } from 'eventsource-parser';
import type { Json } from '#analysis/model/checkpoint.ts';
import type { OperationOutcome } from '#analysis/model/run.ts';
import { runEventSchema, type RunRequest } from '../protocol/run-request.ts';
import { monotonicMs } from '../protocol/monotonic.ts';
import { errorText } from '../failure/error-text.ts';

/** What the client knows at the end. */
export interface ClientView {
  readonly outcome: OperationOutcome;
  readonly servedBy: string | null;
  readonly chunks: number;
  readonly returned: Json;
  /** Why it is not `ok`; null when it is. */
  readonly because: string | null;
  /** A mitigation turned the request away, which is no failure of the trial. */
  readonly isRefused: boolean;
  /** The client closed its socket. */
  readonly hasLeft: boolean;
  /** The worker said that the run failed. */
  readonly runFailed: boolean;
  /** Of the last event that bore an id; null when none did. */
  readonly lastEventId: string | null;
}

/** HTTP's word for a request that the state of its target does not allow now. */
const conflict = 409;

/** An armed request. `release` may be called once. */
export interface ArmedRequest {
  /**
   * Starts the run; resolves when the client is done with it, in whatever way. Never rejects.
   *
   * @param onLoaded called once: when the run has read its checkpoint or waits for a mitigation, or when the client is done before
   */
  release(onLoaded: () => void): Promise<ClientView>;
  /** Drops the connection without starting anything. */
  discard(): void;
}

/**
 * Connects to a worker and sends everything but the body.
 *
 * @param disconnectAfterChunk the client closes its socket after that many chunks; null reads to the end
 * @param leave the client closes its socket when this fires; null: it does not
 * @param onChunk called in the turn in which a chunk was read, with the number of chunks read until then
 * @param onDisconnect called in the turn in which the socket is closed, with the number of chunks read until then and the time before
 * @throws what the connection attempt throws: nothing was started then
 */
export async function armRequest(options: {
  address: string;
  body: RunRequest;
  disconnectAfterChunk: number | null;
  leave: AbortSignal | null;
  signal: AbortSignal;
  onDisconnect: (chunks: number, atMs: number) => void;
  onChunk: (chunks: number) => void;
}): Promise<ArmedRequest> {
  const { address, body, disconnectAfterChunk, leave, signal, onDisconnect, onChunk } = options;
  const bytes = Buffer.from(JSON.stringify(body));
  const client = httpRequest(`${address}/runs`, {
    method: 'POST',
    agent: false,
    signal,
    headers: { 'content-type': 'application/json', 'content-length': bytes.length },
  });
  client.setNoDelay(true);
  const answered = new Promise<IncomingMessage>((resolve, reject) => {
    client.once('response', resolve);
    client.once('error', reject);
  });
  answered.catch(() => undefined);
  await connected(client);
  return {
    release: async (onLoaded) => {
      client.end(bytes);
      let loaded = false;
      const once = () => {
        if (!loaded) onLoaded();
        loaded = true;
      };
      const view = await observe(client, answered, {
        disconnectAfterChunk,
        leave,
        onDisconnect,
        onChunk,
        onLoaded: once,
      });
      once();
      return view;
    },
    discard: () => {
      client.destroy();
    },
  };
}

async function connected(client: ClientRequest): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    client.once('error', reject);
    client.once('socket', (socket) => {
      if (socket.connecting) socket.once('connect', resolve);
      else resolve();
    });
    client.flushHeaders();
  });
}

async function observe(
  client: ClientRequest,
  answered: Promise<IncomingMessage>,
  options: {
    disconnectAfterChunk: number | null;
    leave: AbortSignal | null;
    onDisconnect: (chunks: number, atMs: number) => void;
    onChunk: (chunks: number) => void;
    onLoaded: () => void;
  },
): Promise<ClientView> {
  const { disconnectAfterChunk, leave, onDisconnect, onChunk, onLoaded } = options;
  let servedBy: string | null = null;
  let chunks = 0;
  let lastEventId: string | null = null;
  const left = { isDone: false };
  const leaveNow = (): void => {
    left.isDone = true;
    // Before the socket closes: whoever is told must not be told earlier than that.
    const atMs = monotonicMs();
    client.destroy();
    onDisconnect(chunks, atMs);
  };
  leave?.addEventListener('abort', leaveNow, { once: true });
  const ended = (outcome: OperationOutcome, because: string | null, returned: Json = null): ClientView => ({
    outcome,
    servedBy,
    chunks,
    returned,
    because,
    isRefused: false,
    hasLeft: left.isDone,
    runFailed: false,
    lastEventId,
  });
  try {
    const response = await answered;
    if (response.statusCode !== 200) {
      response.resume();
      const view = ended('fail', `the worker refused with status ${String(response.statusCode)}`);
      return { ...view, isRefused: response.statusCode === conflict };
    }
    return await new Promise<ClientView>((resolve, reject) => {
      // Events are handled in the turn in which their bytes arrive: a client that leaves, leaves at once.
      const parser = createParser({
        onEvent: ({ id, event, data }) => {
          lastEventId = id ?? lastEventId;
          const message = runEventSchema.parse({ event, ...(JSON.parse(data) as object) });
          if (message.event === 'accepted') servedBy = message.worker;
          else if (message.event === 'loaded' || message.event === 'waiting') onLoaded();
          else if (message.event === 'refused')
            resolve({ ...ended('fail', message.because), isRefused: true });
          else if (message.event === 'result') resolve(ended('ok', null, message.state));
          else if (message.event === 'failed')
            resolve({ ...ended('info', `the run failed: ${message.error}`), runFailed: true });
          else {
            chunks += 1;
            onChunk(chunks);
            if (chunks !== disconnectAfterChunk) return;
            leaveNow();
            resolve(ended('info', `the client left after chunk ${chunks}`));
          }
        },
      });
      response.setEncoding('utf8');
      response.on('data', (text: string) => {
        try {
          parser.feed(text);
        } catch (error) {
          reject(error instanceof Error ? error : new Error(String(error)));
        }
      });
      response.on('error', reject);
      response.on('end', () => {
        resolve(ended('info', 'the stream ended without a result'));
      });
    });
  } catch (error) {
    if (left.isDone)
      return ended(
        'info',
        `the client left after chunk ${chunks}, when a service had come so far or it waited no longer`,
      );
    return ended('info', `the connection broke: ${errorText(error)}`);
  } finally {
    leave?.removeEventListener('abort', leaveNow);
  }
}
