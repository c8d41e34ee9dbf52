/**
 * One run from its request to its end: the guard admits it or turns it away, the handler serves it, and the guard lets
 * the next one in when the run is over in the guard's own sense.
 */
import type { Guard } from './guards/guard.ts';
import type { Handler, RunContext } from './handlers/handler.ts';
import { openEvents, sendEvent } from './event-stream.ts';

/** Serves a registered run. Never rejects for what happens to the run; rejects when a guard itself fails. */
export async function serveRun(context: RunContext, handler: Handler, guard: Guard | null): Promise<void> {
  if (guard === null) {
    await handler(context);
    return;
  }
  const { request, response, runs } = context;
  if (guard.mayWait) {
    openEvents(response);
    sendEvent(response, { event: 'waiting' });
  }
  const gone = new AbortController();
  const leave = (): void => {
    gone.abort();
  };
  response.once('close', leave);
  const entry = await guard.enter(request, gone.signal);
  response.off('close', leave);
  if (entry.kind === 'refused') {
    runs.consumerEnded(request.run, { outcome: 'refused', returned: null, error: entry.because });
    if (guard.mayWait) {
      sendEvent(response, { event: 'refused', run: request.run, because: entry.because });
      response.end();
    } else if (!response.destroyed) {
      response.writeHead(409, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ error: entry.because }));
    }
    return;
  }
  try {
    await handler({ ...context, fence: entry.fence ?? null });
    if (guard.holdsUntil === 'stored') await runs.wait(request.run, 'ended');
  } finally {
    await entry.leave();
  }
}
