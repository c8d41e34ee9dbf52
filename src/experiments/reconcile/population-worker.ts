/**
 * A process that makes threads: it runs the population's graph on LangGraph's own Postgres saver, holds nodes, and keeps
 * the leases of its runs. It may be killed at any moment. It ends when its primary does (the channel closes) and leaves
 * the terminal's Ctrl-C to it.
 */
import { runTokenKey, type RunToken, type ThreadId } from '#analysis/model/identifiers.ts';
import { invariant } from '#analysis/model/bug.ts';
import { openPool } from '#src/postgres/open-pool.ts';
import { watchLoop } from '#src/worker/loop-watch.ts';
import { RecordingSaver } from '#src/worker/recording-saver.ts';
import { RunRegistry } from '#src/worker/run-registry.ts';
import type { CompiledGraph } from '#trials/graph.ts';
import { NodeGates } from './node-gates.ts';
import { buildPopulationGraph } from './population-graph.ts';
import {
  populationCommandSchema,
  type PopulationCommand,
  type PopulationMessage,
  type RunEnd,
} from './population-protocol.ts';
import { RunTable } from './run-table.ts';
import { errorText } from '../../failure/error-text.ts';

type Configuration = Extract<PopulationCommand, { do: 'configure' }>;
type RunCommand = Extract<PopulationCommand, { do: 'run' }>;

const saverConnections = 6;
/** A run that loops until it is told to stop must not meet LangGraph's own limit (25). */
const recursionLimit = 1_000_000;

/** Everything a configured process has. */
interface Maker {
  readonly config: Configuration;
  readonly graph: CompiledGraph;
  readonly runs: RunRegistry;
  readonly gates: NodeGates;
  readonly table: RunTable;
}

let maker: Maker | null = null;

process.on('SIGINT', () => undefined);
process.on('disconnect', () => {
  process.exit(0);
});
process.on('message', (raw: unknown) => {
  const command = populationCommandSchema.parse(raw);
  if (command.do === 'configure') maker = configured(command);
  else {
    invariant(maker !== null, 'the primary configures first');
    if (command.do === 'open') maker.gates.openAll();
    else run(maker, command).catch(broken);
  }
});
tell({ say: 'waiting' });

function configured(config: Configuration): Maker {
  const worker = String(process.pid);
  const runs = new RunRegistry(worker);
  const gates = new NodeGates();
  const saverPool = openPool({ connectionString: config.dsn, max: saverConnections, idleTimeoutMillis: 0 });
  const graph = buildPopulationGraph(gates, runs, new RecordingSaver(saverPool, config.schema, runs));
  watchLoop(graph, runs);
  // A pool of its own: a heartbeat that waits for the saver's connections would let leases end under load.
  const tablePool = openPool({ connectionString: config.dsn, max: 2, idleTimeoutMillis: 0 });
  const table = new RunTable(tablePool, config.schema, worker, config.leaseMs);
  let isBeating = false;
  setInterval(() => {
    if (isBeating) return;
    isBeating = true;
    table
      .beat()
      .catch(broken)
      .finally(() => (isBeating = false));
  }, config.heartbeatMs);
  tell({ say: 'ready' });
  return { config, graph, runs, gates, table };
}

async function run(made: Maker, command: RunCommand): Promise<void> {
  const { config, graph, runs, gates, table } = made;
  const { thread, path } = command;
  const token = `${thread}/run` as RunToken;
  const abort = new AbortController();
  if (command.isHeld || command.isAborted) {
    gates.close(thread, () => {
      if (command.isAborted) abort.abort();
      else tell({ say: 'held', thread });
    });
  }
  await table.begin(token, thread);
  runs.begin(token, thread as ThreadId, () => undefined);
  const configurable = { thread_id: thread, [runTokenKey]: token };
  let end: RunEnd;
  let because: string | null = null;
  try {
    const options = { configurable, durability: config.durability, signal: abort.signal, recursionLimit };
    await graph.invoke({ path }, options);
    end = await stoppedWhere(graph, thread);
    runs.consumerEnded(token, { outcome: 'completed', returned: null, error: null });
  } catch (error) {
    because = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
    end = abort.signal.aborted ? 'aborted' : 'failed';
    runs.consumerEnded(token, {
      outcome: end === 'aborted' ? 'cancelled' : 'errored',
      returned: null,
      error: because,
    });
  }
  // An abort leaves the node's body waiting: let it end, or the run would never be over.
  gates.open(thread);
  await runs.wait(token, 'quiet');
  await table.end(token, end);
  tell({ say: 'over', thread, end, because });
}

/** A run that returned has ended, was asked something, or stopped at a breakpoint. */
async function stoppedWhere(graph: CompiledGraph, thread: string): Promise<RunEnd> {
  const state = await graph.getState({ configurable: { thread_id: thread } });
  if (state.next.length === 0) return 'ended';
  return state.tasks.some(({ interrupts }) => interrupts.length > 0) ? 'asked' : 'paused';
}

function tell(message: PopulationMessage): void {
  process.send?.(message);
}

function broken(error: unknown): void {
  tell({ say: 'broken', because: errorText(error) });
}
