/**
 * The provider's HTTP interface. What a service may call, and what only the experiment may: the latter sets what goes
 * wrong and asks how far the provider has come.
 *
 *   POST /charges                       charges; idempotent with a key
 *   GET  /charges?business_key=…        the charges for a business key
 *   PUT  /faults                        what goes wrong with the first call of a run
 *   GET  /moments?run=…&moment=…        answers when a call of the run has come so far
 *   GET  /calls?thread=…                the provider's own account of a thread, when its calls are answered
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import type { ThreadId } from '#analysis/model/identifiers.ts';
import { serveCharge, type Counter } from './charge-endpoint.ts';
import { faultsSchema, momentQuerySchema } from './provider-protocol.ts';

/** Listens on a free port of loopback. `onBroken` is told what ended a call that should have been served. */
export async function listenAsProvider(
  counter: Counter,
  onBroken: (error: unknown) => void,
): Promise<{ readonly server: Server; readonly port: number }> {
  const server = createServer((request, response) => {
    serve(counter, request, response).catch((error: unknown) => {
      // A caller that leaves before its request is whole has asked for nothing.
      if (!request.complete) return;
      onBroken(error);
      response.destroy();
    });
  });
  // The experiment keeps its connections; one that is closed in the moment of a question would end the series.
  server.keepAliveTimeout = 0;
  server.requestTimeout = 0;
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen({ host: '127.0.0.1', port: 0 }, resolve);
  });
  return { server, port: (server.address() as AddressInfo).port };
}

async function serve(counter: Counter, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const url = new URL(request.url ?? '/', 'http://provider');
  const { book, faults } = counter;
  switch (`${request.method ?? ''} ${url.pathname}`) {
    case 'POST /charges': {
      const raw: unknown = await json(request).catch((error: unknown) => {
        if (request.complete) return null; // not JSON: refused like any other bad parameter
        throw error;
      });
      await serveCharge(counter, request, response, raw);
      return;
    }
    case 'GET /charges':
      answer(response, 200, { data: book.lookedUp(url.searchParams.get('business_key') ?? '') });
      return;
    case 'PUT /faults': {
      const asked = faultsSchema.safeParse(await json(request));
      if (asked.success) faults.set(asked.data.run, asked.data.faults);
      answer(response, asked.success ? 200 : 400, { error: asked.error?.message ?? null });
      return;
    }
    case 'GET /moments': {
      const asked = momentQuerySchema.safeParse(Object.fromEntries(url.searchParams));
      if (asked.success) {
        const { run, moment } = asked.data;
        await whileConnected(response, (gone) => book.until(run, moment, gone));
      }
      answer(response, asked.success ? 200 : 400, { error: asked.error?.message ?? null });
      return;
    }
    case 'GET /calls': {
      const thread = (url.searchParams.get('thread') ?? '') as ThreadId;
      const calls = await whileConnected(response, (gone) => book.callsOf(thread, gone));
      answer(response, 200, { calls });
      return;
    }
    default:
      answer(response, 404, { error: 'no such route' });
  }
}

/** Waits for `work`; null when whoever asked has left before, who then gets no answer either. */
async function whileConnected<T>(
  response: ServerResponse,
  work: (gone: AbortSignal) => Promise<T>,
): Promise<T | null> {
  const gone = new AbortController();
  response.once('close', () => {
    gone.abort();
  });
  try {
    return await work(gone.signal);
  } catch (error) {
    if (gone.signal.aborted) return null;
    throw error;
  }
}

function answer(response: ServerResponse, status: number, body: unknown): void {
  if (response.destroyed) return;
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify(body));
}
