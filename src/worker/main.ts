/**
 * A worker process: asks its primary for its configuration, builds the scenario's graph on a saver of its own and
 * serves it. It ends when its primary ends (node:cluster closes the channel) and ignores the terminal's Ctrl-C,
 * which the primary turns into an orderly stop.
 */
import cluster from 'node:cluster';
import { invariant } from '#analysis/model/bug.ts';
import { workerConfigSchema, type WorkerConfig, type WorkerMessage } from '../protocol/worker-config.ts';
import { QueueDoor } from './queue-door.ts';
import { listen } from './server.ts';
import { logBroken, openWorkbench } from './workbench.ts';

process.on('SIGINT', () => undefined);
invariant(cluster.worker !== undefined, 'a worker is forked by node:cluster');
process.on('message', (message: unknown) => {
  const config = workerConfigSchema.safeParse(message);
  if (config.success) start(config.data).catch(fail);
});
tell({ kind: 'waiting' });

async function start(config: WorkerConfig): Promise<void> {
  const bench = await openWorkbench(config, (error) => {
    tell({
      kind: 'broken',
      what: logBroken(config.effectsFile, error),
      remedy: 'Free space on that disk, or choose another folder with --out.',
    });
  });
  const queueWorker = bench.services.get('queue');
  const door = queueWorker === undefined ? null : new QueueDoor(config, queueWorker);
  const service = { ...bench, door, slot: config.slot };
  const own = await listen(service, 0, true);
  const shared = await listen(service, config.sharedPort, false);
  tell({ kind: 'listening', ownPort: own.port, sharedPort: shared.port });
}

function tell(message: WorkerMessage): void {
  process.send?.(message);
}

function fail(error: unknown): void {
  if (error instanceof Error && 'code' in error && error.code === 'EADDRINUSE') {
    tell({
      kind: 'broken',
      what: `the port is taken: ${error.message}`,
      remedy: 'Choose another --port, or leave it out for a free one.',
    });
  }
  process.stderr.write(`${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
  // Exit only when the message has left: a channel closed too early would lose the reason.
  process.disconnect();
  process.exitCode = 1;
  setTimeout(() => process.exit(1), 1000).unref();
}
