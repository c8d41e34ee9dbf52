/**
 * What the worker of the queue is asked.
 *
 *   GET  /runs?run=…&until=ended|quiet answers when the queue will not give the run out again and its deliveries are over
 *   POST /drain                        answers when the effect log is complete
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import type { RunToken } from '#analysis/model/identifiers.ts';
import type { JobQueue } from '../../queue/job-queue.ts';
import type { EffectLog } from '../../worker/effect-log.ts';
import type { Deliveries } from './deliveries.ts';

/** How often a job that is not over is looked at again. */
const lookMs = 50;

interface QueueWorker {
  readonly queue: JobQueue;
  readonly deliveries: Deliveries;
  readonly log: EffectLog;
}

/** Listens on loopback. Resolves with the port. */
export async function listenAsQueueWorker(worker: QueueWorker): Promise<number> {
  const server = createServer((request, response) => {
    serve(worker, request, response).catch((error: unknown) => {
      answer(response, 500, { error: String(error) });
    });
  });
  server.requestTimeout = 0;
  server.headersTimeout = 0;
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen({ host: '127.0.0.1', port: 0 }, resolve);
  });
  return (server.address() as AddressInfo).port;
}

async function serve(
  { queue, deliveries, log }: QueueWorker,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const url = new URL(request.url ?? '/', 'http://queue');
  const route = `${request.method ?? ''} ${url.pathname}`;
  if (route === 'POST /drain') answer(response, 200, await log.drain());
  else if (route === 'GET /runs') {
    const run = (url.searchParams.get('run') ?? '') as RunToken;
    const until = url.searchParams.get('until') === 'quiet' ? 'quiet' : 'ended';
    while (!(await queue.isOver(run))) {
      if (response.destroyed) return;
      await delay(lookMs);
    }
    const records = await deliveries.records(run, until);
    if (records.length === 0) answer(response, 404, { error: 'no such run here' });
    else answer(response, 200, records);
  } else answer(response, 404, { error: `no route ${route}` });
}

function answer(response: ServerResponse, status: number, body: unknown): void {
  if (response.headersSent || response.destroyed) return;
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify(body));
}
