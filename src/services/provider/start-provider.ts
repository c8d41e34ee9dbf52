/** The payment provider as a service of a series: its process, its account of each trial, what goes wrong at it. */
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { layoutOf } from '../../rundir/layout.ts';
import type { StartService } from '../service.ts';
import { notServing, ProviderProcess } from './provider-process.ts';
import { ProviderControl } from './provider-control.ts';

/** How long a question that failed waits for the news that the provider died, which is the better reason. */
const deathNewsMs = 400;

/**
 * See the file's head. Its log goes straight into the run directory, where the analysis reads it, so nothing is left to
 * store at the end; a trial is over when every call about it is answered, also those whose caller has left.
 */
export const startProvider: StartService = async ({ folder, scale, guard, releasers }) => {
  const layout = layoutOf(folder);
  const provider = await ProviderProcess.start(
    { logFile: layout.provider, scale },
    join(layout.workers, 'provider.log'),
    guard,
  );
  const control = new ProviderControl(provider.address);
  releasers.add('the payment provider', async () => {
    control.close();
    await provider.stop();
  });
  /** A question that fails because the process is gone fails with the reason. */
  const ask = async <T>(question: () => Promise<T>, signal: AbortSignal): Promise<T> => {
    const died = provider.ended.then((how): never => {
      throw notServing(how);
    });
    died.catch(() => undefined);
    try {
      return await Promise.race([question(), died]);
    } catch (error) {
      if (signal.aborted) throw error;
      // A connection breaks before the end of its process is known.
      await Promise.race([died, delay(deathNewsMs)]);
      throw error;
    }
  };
  return {
    address: provider.address,
    outcomesOf: async (thread, signal) => {
      await ask(() => control.callsOf(thread, signal), signal);
      return new Map();
    },
    prepare: (run, { provider: faults }, signal) =>
      faults === undefined ? Promise.resolve() : ask(() => control.setFaults(run, faults, signal), signal),
    until: (run, moment, signal) => ask(() => control.until(run, moment, signal), signal),
    store: () => Promise.resolve(),
  };
};
