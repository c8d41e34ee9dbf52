/** The payment provider as a service of a series: its process, its account of each trial, what goes wrong at it. */
import { join } from 'node:path';
import { layoutOf } from '../../rundir/layout.ts';
import { ServiceProcess, type ServiceProgram } from '../service-process.ts';
import type { StartService } from '../service.ts';
import { ProviderControl } from './provider-control.ts';
import type { ProviderConfig } from './provider-protocol.ts';

/** The provider's program. */
export function providerProgram(config: Omit<ProviderConfig, 'kind'>, outputFile: string): ServiceProgram {
  return { entry: 'src/services/provider/main', title: 'the payment provider', outputFile, config };
}

/**
 * See the file's head. Its log goes straight into the run directory, where the analysis reads it, so nothing is left to
 * store at the end; a trial is over when every call about it is answered, also those whose caller has left.
 */
export const startProvider: StartService = async ({ folder, scale, guard, releasers }) => {
  const layout = layoutOf(folder);
  const provider = await ServiceProcess.start(
    providerProgram({ logFile: layout.provider, scale }, join(layout.workers, 'provider.log')),
    guard,
  );
  const control = new ProviderControl(provider.address);
  releasers.add('the payment provider', async () => {
    control.close();
    await provider.stop();
  });
  return {
    address: provider.address,
    died: provider.died,
    outcomesOf: async (thread, signal) => {
      await provider.ask(() => control.callsOf(thread, signal), signal);
      return new Map();
    },
    prepare: (run, { provider: faults }, signal) =>
      faults === undefined
        ? Promise.resolve()
        : provider.ask(() => control.setFaults(run, faults, signal), signal),
    until: (run, moment, signal) => provider.ask(() => control.until(run, moment, signal), signal),
    store: () => Promise.resolve(),
  };
};
