/**
 * A worker process: asks its primary for its configuration, builds the scenario's graph on a saver of its own and
 * serves it. It ends when its primary ends (node:cluster closes the channel) and ignores the terminal's Ctrl-C,
 * which the primary turns into an orderly stop.
 */
import cluster from 'node:cluster';
import type { Scenario } from '#trials/scenario.ts';
import { scenarioNamed } from '#trials/scenarios/registry.ts';
import { invariant } from '#analysis/model/bug.ts';
import { openPool } from '../postgres/open-pool.ts';
import { workerConfigSchema, type WorkerConfig, type WorkerMessage } from '../protocol/worker-config.ts';
import { EffectLog } from './effect-log.ts';
import { watchLoop } from './loop-watch.ts';
import { nodeActions } from './node-actions.ts';
import { GuardShelf } from './guard-shelf.ts';
import { RecordingSaver } from './recording-saver.ts';
import { RunRegistry } from './run-registry.ts';
import { listen } from './server.ts';
import { sampleThread } from './thread-sample.ts';
import { UniqueVersionSaver } from './unique-version-saver.ts';

/** Connections of the saver's pool. Each costs the server a process and its caches, and a run uses one or two at once. */
const saverConnections = 8;

/** Connections of a saver whose pool two runs are enough to exhaust. */
const smallSaverConnections = 2;

process.on('SIGINT', () => undefined);
invariant(cluster.worker !== undefined, 'a worker is forked by node:cluster');
process.on('message', (message: unknown) => {
  const config = workerConfigSchema.safeParse(message);
  if (config.success) start(config.data).catch(fail);
});
tell({ kind: 'waiting' });

async function start(config: WorkerConfig): Promise<void> {
  const scenario = await scenarioOf(config);
  const worker = String(process.pid);
  const runs = new RunRegistry(worker);
  const pool = openPool({
    connectionString: config.dsn,
    max: saverConnections,
    // Connections are kept: opening them anew in mid-series would cost more than all queries of a trial.
    idleTimeoutMillis: 0,
  });
  // Opens no connection before an arm asks for it.
  const smallPool = openPool({
    connectionString: config.dsn,
    max: smallSaverConnections,
    idleTimeoutMillis: 0,
  });
  const log = new EffectLog({ worker, file: config.effectsFile, dsn: config.dsn, schema: config.schema });
  const buildGraph = await scenario.graph.load();
  const actions = nodeActions({
    log,
    runs,
    scale: config.scale,
    businessKey: scenario.businessKey,
    provider: config.services['provider'] ?? null,
    onBroken: (error) => {
      tell({
        kind: 'broken',
        what: `the effect log ${config.effectsFile} could not be written: ${String(error)}`,
        remedy: 'Free space on that disk, or choose another folder with --out.',
      });
    },
  });
  const graphs = {
    integers: buildGraph(actions, new RecordingSaver(pool, config.schema, runs)),
    strings: buildGraph(actions, new UniqueVersionSaver(pool, config.schema, runs)),
    smallPool: buildGraph(actions, new RecordingSaver(smallPool, config.schema, runs)),
  };
  for (const graph of Object.values(graphs)) watchLoop(graph, runs);
  const services = new Map(Object.entries(config.services));
  const guards = new GuardShelf({
    dsn: config.dsn,
    schema: config.schema,
    worker,
    scale: config.scale,
    saverPool: smallPool,
    services,
  });
  const sample = (thread: string) => sampleThread(pool, config.schema, graphs.integers, thread);
  const service = { graphs, guards, services, runs, log, sample, worker, slot: config.slot };
  const own = await listen(service, 0, true);
  const shared = await listen(service, config.sharedPort, false);
  tell({ kind: 'listening', ownPort: own.port, sharedPort: shared.port });
}

async function scenarioOf({ scenario, scenarioFile }: WorkerConfig): Promise<Scenario> {
  if (scenarioFile !== null) {
    const { loadScenarioFile } = await import('../scenario-file/load-scenario.ts');
    return loadScenarioFile(scenarioFile);
  }
  const known = scenarioNamed(scenario);
  invariant(known !== null, 'the primary names a scenario of the registry');
  return known;
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
