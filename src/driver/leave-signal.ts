/**
 * When does a client leave that is to leave as soon as a service has come so far with its run? The question goes to
 * the service before the request is released, so that its answer is the trigger and no timer. Easy to get wrong: a run
 * that never gets so far leaves the question open, which has to be withdrawn.
 */
import type { RunToken } from '#analysis/model/identifiers.ts';
import type { ServiceMoment } from '#trials/scenario.ts';

/** Asks a service; resolves when it has come so far. */
export type AwaitMoment = (moment: ServiceMoment, run: RunToken, signal: AbortSignal) => Promise<void>;

/** A question to a service. */
export interface LeaveQuestion {
  /** Fires when the client is to leave; null: it is not to. */
  readonly leave: AbortSignal | null;
  /** Withdraws the question. Rejects with what went wrong with it, other than being withdrawn. */
  readonly end: () => Promise<void>;
}

/** Asks for the moment of a request. */
export function leaveQuestion(
  moment: ServiceMoment | undefined,
  run: RunToken,
  ask: AwaitMoment,
  signal: AbortSignal,
): LeaveQuestion {
  if (moment === undefined) return { leave: null, end: () => Promise.resolve() };
  const leave = new AbortController();
  const withdrawn = new AbortController();
  const asked = ask(moment, run, AbortSignal.any([signal, withdrawn.signal])).then(
    () => {
      leave.abort();
    },
    (error: unknown) => {
      if (!withdrawn.signal.aborted) throw error;
    },
  );
  // Whoever releases the request is told by `end`.
  asked.catch(() => undefined);
  return {
    leave: leave.signal,
    end: () => {
      withdrawn.abort();
      return asked;
    },
  };
}
