/**
 * One request to a service of any language, in two moves as in a race of our own: the connection and the head first, the
 * body when it is released. What its client sees is all that is known of its run.
 */
import { request as httpRequest, type ClientRequest, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import type { OperationOutcome } from '#analysis/model/run.ts';
import { errorText } from '../failure/error-text.ts';
import { chunkCount } from './chunk-count.ts';

/** What the client knows at the end. */
export interface TargetView {
  readonly outcome: OperationOutcome;
  readonly chunks: number;
  /** Why it is not `ok`; null when it is. */
  readonly because: string | null;
  /** The service answered 409, 423 or 429: it would not serve this request now. */
  readonly isRefused: boolean;
  readonly hasLeft: boolean;
}

const turnedAway: readonly number[] = [409, 423, 429];

/** A request at the start line. */
export interface TargetRequest {
  /** Sends the body; resolves when the client is done, in whatever way. Never rejects. */
  release(): Promise<TargetView>;
  discard(): void;
}

/**
 * Connects and sends the head.
 * @param leaveAfter the client closes its socket after that many chunks; null: it reads to the end
 * @throws what connecting throws: nothing was started then
 */
export async function armTarget(options: {
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly leaveAfter: number | null;
  readonly signal: AbortSignal;
}): Promise<TargetRequest> {
  const { url, headers, body, leaveAfter, signal } = options;
  const bytes = Buffer.from(body);
  const client = (url.protocol === 'https:' ? httpsRequest : httpRequest)(url, {
    method: 'POST',
    agent: false,
    signal,
    headers: { 'content-type': 'application/json', ...headers, 'content-length': bytes.length },
  });
  client.setNoDelay(true);
  const answered = new Promise<IncomingMessage>((resolve, reject) => {
    client.once('response', resolve);
    client.on('error', reject);
  });
  answered.catch(() => undefined);
  await new Promise<void>((resolve, reject) => {
    client.once('error', reject);
    client.once('socket', (socket) => {
      if (socket.connecting) socket.once(url.protocol === 'https:' ? 'secureConnect' : 'connect', resolve);
      else resolve();
    });
    client.flushHeaders();
  });
  return {
    release: () => {
      client.end(bytes);
      return observe(client, answered, leaveAfter);
    },
    discard: () => {
      client.destroy();
    },
  };
}

async function observe(
  client: ClientRequest,
  answered: Promise<IncomingMessage>,
  leaveAfter: number | null,
): Promise<TargetView> {
  let chunks = 0;
  const view = (
    outcome: OperationOutcome,
    because: string | null,
    differing: Partial<TargetView> = {},
  ): TargetView => ({
    ...{ outcome, chunks, because, isRefused: false, hasLeft: false },
    ...differing,
  });
  try {
    const response = await answered;
    const { statusCode = 0 } = response;
    if (statusCode < 200 || statusCode > 299) {
      response.resume();
      return view('fail', `the service answered ${statusCode}`, {
        isRefused: turnedAway.includes(statusCode),
      });
    }
    return await new Promise<TargetView>((resolve, reject) => {
      const count = chunkCount(response.headers['content-type'] ?? '', () => {
        chunks += 1;
        if (chunks !== leaveAfter || response.complete) return;
        client.destroy();
        resolve(view('info', `the client left after chunk ${chunks}`, { hasLeft: true }));
      });
      response.setEncoding('utf8');
      response.on('data', (text: string) => {
        count.feed(text);
      });
      response.on('error', reject);
      response.on('end', () => {
        count.end();
        resolve(view('ok', null));
      });
    });
  } catch (error) {
    return view('info', `the connection broke: ${errorText(error)}`);
  }
}
