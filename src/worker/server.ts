/**
 * A worker's HTTP interface, the same on two addresses: the port that all workers share, as in a real deployment,
 * and a port of the worker's own, so that a driver can choose who serves.
 *
 *   GET  /health                       readiness
 *   POST /runs                         runs the graph; server-sent events
 *   GET  /runs?run=…&until=ended|quiet answers when the run is over
 *   GET  /checkpoints?thread=…         names a checkpoint for requests that start at one
 *   GET  /threads?thread=…             what a reader of the thread sees now
 *   POST /drain                        answers when the effect log is complete
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import type { RunToken } from '#analysis/model/identifiers.ts';
import { runRequestSchema } from '../protocol/run-request.ts';
import { serveRun } from './admit.ts';
import { sendEvent } from './event-stream.ts';
import { namedCheckpoint } from './named-checkpoint.ts';
import { outOfProcess, serveOutOfProcess } from './handlers/out-of-process.ts';
import { loadHandler } from './handlers/registry.ts';
import type { QueueDoor } from './queue-door.ts';
import { graphFor, type Workbench } from './workbench.ts';

/** What a worker serves with. */
export interface Service extends Workbench {
  /** Null: no arm of the series has a queue. */
  readonly door: QueueDoor | null;
  readonly slot: number;
}

/** Listens on loopback. `exclusive` keeps the port to this process; otherwise node:cluster shares it. */
export async function listen(
  service: Service,
  port: number,
  exclusive: boolean,
): Promise<{ server: Server; port: number }> {
  const server = createServer((request, response) => {
    serve(service, request, response).catch((error: unknown) => {
      answer(response, 500, { error: String(error) });
    });
  });
  // Streams are long and clients arm requests before they release them: no idle timeout may cut one.
  server.requestTimeout = 0;
  server.headersTimeout = 0;
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen({ host: '127.0.0.1', port, exclusive }, resolve);
  });
  return { server, port: (server.address() as AddressInfo).port };
}

async function serve(service: Service, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const url = new URL(request.url ?? '/', 'http://worker');
  const route = `${request.method ?? ''} ${url.pathname}`;
  switch (route) {
    case 'GET /health': {
      answer(response, 200, { worker: service.worker, slot: service.slot });
      return;
    }
    case 'POST /runs': {
      const body = runRequestSchema.safeParse(await json(request));
      if (!body.success) {
        answer(response, 400, { error: body.error.message });
        return;
      }
      if (body.data.handler === outOfProcess && service.door !== null) {
        await serveOutOfProcess(service.door, body.data, response, service);
        return;
      }
      const handler = await loadHandler(body.data.handler);
      if (handler === null) {
        answer(response, 400, { error: `there is no handler ${body.data.handler}` });
        return;
      }
      const guard = await service.guards.get(body.data.guard);
      const loaded = () => {
        sendEvent(response, { event: 'loaded' });
      };
      if (!service.runs.begin(body.data.run, body.data.thread, loaded)) {
        answer(response, 409, { error: 'this run token was used before' });
        return;
      }
      const graph = graphFor(service, body.data);
      await serveRun({ request: body.data, fence: null, response, graph, ...service }, handler, guard);
      return;
    }
    case 'GET /runs': {
      const run = (url.searchParams.get('run') ?? '') as RunToken;
      if (service.door?.has(run) === true) {
        const { status, body } = await service.door.ask(url.searchParams);
        answer(response, status, body);
        return;
      }
      const until = url.searchParams.get('until') === 'quiet' ? 'quiet' : 'ended';
      const record = await service.runs.wait(run, until);
      if (record === null) answer(response, 404, { error: 'no such run here' });
      else answer(response, 200, [record]);
      return;
    }
    case 'GET /checkpoints': {
      const thread = url.searchParams.get('thread') ?? '';
      const checkpoint = await namedCheckpoint(
        service.graphs.integers,
        thread,
        url.searchParams.get('before'),
      );
      answer(response, 200, { checkpoint });
      return;
    }
    case 'GET /threads': {
      answer(response, 200, await service.sample(url.searchParams.get('thread') ?? ''));
      return;
    }
    case 'POST /drain': {
      answer(response, 200, await service.log.drain());
      return;
    }
    default:
      answer(response, 404, { error: `no route ${route}` });
  }
}

function answer(response: ServerResponse, status: number, body: unknown): void {
  if (response.headersSent || response.destroyed) return;
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify(body));
}
