/**
 * A signal that fires when a trial must be over, or when the series is stopped. Easy to get wrong: of
 * `AbortSignal.any([…, AbortSignal.timeout(ms)])` Node may collect the timeout before it fires, and then nothing ends a
 * trial that hangs. *Source*: github.com/nodejs/node/issues/57736. The timer here holds its signal.
 */

/** A running deadline. */
export interface TrialDeadline {
  readonly signal: AbortSignal;
  /** Whether the time ran out, and not the series. */
  readonly hasPassed: boolean;
  /** Lets go of the timer and of the series. */
  readonly clear: () => void;
}

/** Starts one; `ms` from now. */
export function trialDeadline(stop: AbortSignal, ms: number): TrialDeadline {
  const controller = new AbortController();
  let hasPassed = false;
  const timer = setTimeout(() => {
    hasPassed = true;
    controller.abort();
  }, ms);
  const stopped = (): void => {
    controller.abort();
  };
  if (stop.aborted) stopped();
  stop.addEventListener('abort', stopped, { once: true });
  return {
    signal: controller.signal,
    get hasPassed() {
      return hasPassed;
    },
    clear: () => {
      clearTimeout(timer);
      stop.removeEventListener('abort', stopped);
    },
  };
}
