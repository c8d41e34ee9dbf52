/** Server-sent events of a run on an HTTP response. Nothing is written to a client that has left. */
import type { ServerResponse } from 'node:http';
import type { RunEvent } from '../protocol/run-request.ts';

/** Sends the head of an event stream, once; a mitigation that waits may have sent it before the handler. */
export function openEvents(response: ServerResponse): void {
  if (response.headersSent || response.destroyed) return;
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' });
}

/** Writes one event; with an id, a client can come back and read on behind it. */
export function sendEvent(response: ServerResponse, event: RunEvent, id?: string): void {
  if (response.destroyed) return;
  response.write(`${id === undefined ? '' : `id: ${id}\n`}${eventText(event)}`);
}

/** One event as it is sent. */
export function eventText({ event, ...data }: RunEvent): string {
  return `event: ${event}\ndata: ${JSON.stringify(data)}\n\n`;
}
