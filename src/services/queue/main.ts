/** The worker of the queue: a process of its own that runs the graphs of the jobs it is given. */
import { JobQueue } from '../../queue/job-queue.ts';
import { RunEventStore } from '../../queue/run-event-store.ts';
import { logBroken, openWorkbench } from '../../worker/workbench.ts';
import { serveAsService } from '../service-main.ts';
import { Deliveries } from './deliveries.ts';
import { queueConfigSchema } from './queue-protocol.ts';
import { listenAsQueueWorker } from './queue-server.ts';

/** Jobs at once; as many as trials run side by side at most, and each asks the queue twice a second. */
const slots = 32;

serveAsService(queueConfigSchema, async (config, fail) => {
  const bench = await openWorkbench(config, (error) => {
    fail(new Error(logBroken(config.effectsFile, error)));
  });
  const events = await RunEventStore.open(config);
  const queue = await JobQueue.open(config, 'worker');
  const deliveries = new Deliveries(bench, events);
  await queue.work(slots, (request) => deliveries.deliver(request));
  return listenAsQueueWorker({ queue, deliveries, log: bench.log });
});
