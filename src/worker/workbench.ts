/**
 * What a process needs to run a scenario's graph: the graph on savers of its own, its effect log, its guards and the
 * registry of its runs. An HTTP worker has one, and so has the worker of a queue.
 */
import type { CompiledGraph } from '#trials/graph.ts';
import type { Scenario } from '#trials/scenario.ts';
import { scenarioNamed } from '#trials/scenarios/registry.ts';
import { invariant } from '#analysis/model/bug.ts';
import { openPool } from '../postgres/open-pool.ts';
import type { RunRequest, ThreadSample } from '../protocol/run-request.ts';
import type { BenchConfig } from '../protocol/worker-config.ts';
import { EffectLog } from './effect-log.ts';
import { GuardShelf } from './guard-shelf.ts';
import { watchLoop } from './loop-watch.ts';
import { nodeActions } from './node-actions.ts';
import { RecordingSaver } from './recording-saver.ts';
import { RunRegistry } from './run-registry.ts';
import { sampleThread } from './thread-sample.ts';
import { UniqueVersionSaver } from './unique-version-saver.ts';

/** See the file's head. */
export interface Workbench {
  /** The same graph by what its saver mints as versions, and with a saver on the small pool. */
  readonly graphs: Readonly<Record<'integers' | 'strings' | 'smallPool', CompiledGraph>>;
  readonly guards: GuardShelf;
  readonly services: ReadonlyMap<string, string>;
  readonly runs: RunRegistry;
  readonly log: EffectLog;
  readonly sample: (thread: string) => Promise<ThreadSample>;
  readonly worker: string;
}

/** Connections of the saver's pool. Each costs the server a process and its caches, and a run uses one or two at once. */
const saverConnections = 8;

/** Connections of a saver whose pool two runs are enough to exhaust. */
const smallSaverConnections = 2;

/**
 * Opens it. Connections are kept: opening them anew in mid-series would cost more than all queries of a trial.
 *
 * @param onBroken told when an effect could not be logged
 */
export async function openWorkbench(
  config: BenchConfig,
  onBroken: (error: unknown) => void,
): Promise<Workbench> {
  const { dsn, schema, scale, effectsFile } = config;
  const scenario = await scenarioOf(config);
  const worker = String(process.pid);
  const runs = new RunRegistry(worker);
  const pool = openPool({ connectionString: dsn, max: saverConnections, idleTimeoutMillis: 0 });
  // Opens no connection before an arm asks for it.
  const smallPool = openPool({ connectionString: dsn, max: smallSaverConnections, idleTimeoutMillis: 0 });
  const log = new EffectLog({ worker, file: effectsFile, dsn, schema });
  const buildGraph = await scenario.graph.load();
  const actions = nodeActions({
    ...{ log, runs, scale, onBroken },
    businessKey: scenario.businessKey,
    provider: config.services['provider'] ?? null,
  });
  const graphs = {
    integers: buildGraph(actions, new RecordingSaver(pool, schema, runs)),
    strings: buildGraph(actions, new UniqueVersionSaver(pool, schema, runs)),
    smallPool: buildGraph(actions, new RecordingSaver(smallPool, schema, runs)),
  };
  for (const graph of Object.values(graphs)) watchLoop(graph, runs);
  const services = new Map(Object.entries(config.services));
  const guards = new GuardShelf({ dsn, schema, worker, scale, saverPool: smallPool, services });
  const sample = (thread: string) => sampleThread(pool, schema, graphs.integers, thread);
  return { graphs, guards, services, runs, log, sample, worker };
}

/** The graph that a request runs on. */
export function graphFor(
  { graphs }: Pick<Workbench, 'graphs'>,
  { smallSaverPool, versions }: Pick<RunRequest, 'smallSaverPool' | 'versions'>,
): CompiledGraph {
  return graphs[smallSaverPool === true ? 'smallPool' : versions];
}

/** What to tell when an effect log cannot be written. */
export function logBroken(effectsFile: string, error: unknown): string {
  return `the effect log ${effectsFile} could not be written: ${String(error)}`;
}

async function scenarioOf({ scenario, scenarioFile }: BenchConfig): Promise<Scenario> {
  if (scenarioFile !== null) {
    const { loadScenarioFile } = await import('../scenario-file/load-scenario.ts');
    return loadScenarioFile(scenarioFile);
  }
  const known = scenarioNamed(scenario);
  invariant(known !== null, 'the primary names a scenario of the registry');
  return known;
}
