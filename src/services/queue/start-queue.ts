/** The queue as a service of a series: the process that works on it. Its runs are told by the workers that enqueued them. */
import { join } from 'node:path';
import { drainWorker } from '../../driver/worker-client.ts';
import { layoutOf } from '../../rundir/layout.ts';
import { ServiceProcess } from '../service-process.ts';
import type { StartService } from '../service.ts';

/** See the file's head. */
export const startQueue: StartService = async (context) => {
  const { dsn, schema, scenario, scenarioFile, scale, effectsFile, services, folder, guard, releasers } =
    context;
  const worker = await ServiceProcess.start(
    {
      entry: 'src/services/queue/main',
      title: 'the worker of the queue',
      outputFile: join(layoutOf(folder).workers, 'queue.log'),
      config: { dsn, schema, scenario, scenarioFile, scale, effectsFile, services },
    },
    guard,
  );
  releasers.add('the worker of the queue', () => worker.stop());
  return {
    address: worker.address,
    died: worker.died,
    worker: String(worker.pid),
    outcomesOf: () => Promise.resolve(new Map()),
    drain: (signal) => worker.ask(() => drainWorker(worker.address, signal), signal),
    store: () => Promise.resolve(),
  };
};
