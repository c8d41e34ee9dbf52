/**
 * The handler shape "out of process": the request's handler puts the run into a durable queue and follows its events;
 * another process runs the graph. Easy to get wrong: who leaves and who dies here decides nothing about the run, so
 * nothing here may say how it ended; its worker does.
 */
import type { ServerResponse } from 'node:http';
import type { RunRequest } from '../../protocol/run-request.ts';
import type { RunEventFeed } from '../../queue/run-event-feed.ts';
import { openEvents, sendEvent } from '../event-stream.ts';
import type { QueueDoor } from '../queue-door.ts';
import { onClientGone, reasonOf } from './serve-events.ts';

/** The name that arms ask for it by. It is no {@link Handler}: it has no graph. */
export const outOfProcess = 'out-of-process';

/** Before the first event of every run. */
const start = '0';

/** Enqueues a run, or joins one that was enqueued before, and sends its events. Rejects when the queue refuses. */
export async function serveOutOfProcess(
  door: QueueDoor,
  request: RunRequest,
  response: ServerResponse,
  { worker, slot }: { readonly worker: string; readonly slot: number },
): Promise<void> {
  if (request.lastEventId === undefined) await door.enqueue(request);
  openEvents(response);
  sendEvent(response, { event: 'accepted', worker, slot });
  sendEvent(response, { event: 'waiting' });
  await follow(door.feed, request, response);
  response.end();
}

async function follow(feed: RunEventFeed, request: RunRequest, response: ServerResponse): Promise<void> {
  const { run, lastEventId = start } = request;
  const gone = new AbortController();
  onClientGone(response, () => {
    gone.abort();
  });
  try {
    for await (const { id, event } of feed.follow(run, lastEventId, gone.signal)) {
      sendEvent(response, event, id);
      if (event.event === 'result' || event.event === 'failed' || event.event === 'refused') return;
    }
  } catch (error) {
    sendEvent(response, { event: 'failed', run, error: reasonOf(error) });
  }
}
