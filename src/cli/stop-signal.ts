/**
 * Ctrl-C and SIGTERM. The first asks for an orderly stop; the second ends this process at once, and the watchdog
 * cleans up behind it.
 */
import { exitCodes } from './exit-code.ts';

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** Runs `work` with a signal that is aborted by the first stop signal; listeners are gone afterwards. */
export async function withStopSignal<T>(work: (stop: AbortSignal) => Promise<T>): Promise<T> {
  const controller = new AbortController();
  const onSignal = () => {
    if (controller.signal.aborted) process.exit(exitCodes.interrupted);
    controller.abort();
  };
  for (const signal of signals) process.on(signal, onSignal);
  try {
    return await work(controller.signal);
  } finally {
    for (const signal of signals) process.off(signal, onSignal);
  }
}
