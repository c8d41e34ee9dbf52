/** A client that comes back to a run's stream: which run it was, and what both of its visits showed it. */
import { invariant } from '#analysis/model/bug.ts';
import type { ClientView } from './armed-request.ts';
import type { StartedRun } from './trial-context.ts';

/** The run that an earlier request started. */
export function rejoined(earlier: readonly StartedRun[], request: string): StartedRun {
  const run = earlier.find(({ name }) => name === request);
  invariant(
    run !== undefined,
    `a client comes back to a request of an earlier stage, and ${request} is none`,
  );
  return run;
}

/** `stream.chunks`: chunks of both visits; `stream.result`: 1 when the second one got the result. */
export function rejoinOutcomes(
  first: StartedRun,
  second: ClientView,
): readonly (readonly [string, number])[] {
  return [
    ['stream.chunks', first.chunks + second.chunks],
    ['stream.result', second.outcome === 'ok' ? 1 : 0],
  ];
}
