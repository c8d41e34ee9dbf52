/**
 * What a node does: works for its delay, then performs its one effect, which is the record in the log; where an arm
 * charges at a provider, a node with a business key does that before it writes its record. It does not look at the abort
 * signal, as most nodes do not, so a cancelled run's body goes on and its effect lands; an arm may say that it does.
 */
import type { LangGraphRunnableConfig } from '@langchain/langgraph';
import type { NodeActions } from '#trials/graph.ts';
import type { BusinessKey } from '#trials/scenario.ts';
import { monotonicMs } from '../protocol/monotonic.ts';
import { chargeForNode, chargingOf, work } from './charging.ts';
import type { EffectLog } from './effect-log.ts';
import { runTokenOf } from './recording-saver.ts';
import type { RunRegistry } from './run-registry.ts';

/** The `configurable` key that carries a run's business key to its nodes. */
export const businessKeyKey = 'forkscope_business_key';

/** The `configurable` key that tells nodes to look at their run's AbortSignal. */
export const obeysSignalKey = 'forkscope_obeys_signal';

/** The actions of one worker. `onBroken` is told when an effect could not be logged; the node then fails too. */
export function nodeActions(options: {
  log: EffectLog;
  runs: RunRegistry;
  scale: number;
  businessKey: BusinessKey;
  /** Address of the payment provider; null when none runs. */
  provider: string | null;
  onBroken: (error: unknown) => void;
}): NodeActions {
  const { log, runs, scale, businessKey, provider, onBroken } = options;
  return {
    async perform(node, delayMs, config, returning) {
      const run = runTokenOf(config);
      if (run === null) throw new Error(`node ${node} was started outside a run`);
      runs.bodyBegan(run);
      try {
        const execution = config.executionInfo;
        const thread = execution?.threadId ?? String(config.configurable?.['thread_id']);
        const key = businessKey.nodes.includes(node) ? keyOf(config, node) : null;
        const charging = key === null ? null : chargingOf(config);
        const obeys = charging?.obeysSignal === true || config.configurable?.[obeysSignalKey] === true;
        const signal = obeys ? (config.signal ?? null) : null;
        await work(delayMs * scale, signal);
        if (charging !== null && key !== null) {
          if (provider === null) throw new Error('this arm charges, and no provider runs');
          await chargeForNode({
            ...{ address: provider, charging, signal },
            order: { thread, run, node, businessKey: key },
            onCall: (record) => {
              runs.called(run, record);
            },
          });
        }
        const metadata = config.metadata ?? {};
        try {
          log.append({
            run,
            thread,
            node,
            parent_checkpoint_id: execution?.checkpointId ?? null,
            task_id: execution?.taskId ?? null,
            checkpoint_ns: rowNamespace(execution?.checkpointNs ?? ''),
            step: numberOrNull(metadata['langgraph_step']),
            attempt: execution?.nodeAttempt ?? null,
            wall_ms: Date.now(),
            monotonic_ms: monotonicMs(),
            business_key: key,
            ...(returning === undefined ? {} : { returned_keys: returning }),
          });
        } catch (error) {
          onBroken(error);
          throw error;
        }
        return `${node}@${run}`;
      } finally {
        runs.bodyEnded(run);
      }
    },
  };
}

/** A task's namespace is its rows' namespace plus one segment of its own. */
function rowNamespace(taskNamespace: string): string {
  const end = taskNamespace.lastIndexOf('|');
  return end === -1 ? '' : taskNamespace.slice(0, end);
}

function keyOf(config: LangGraphRunnableConfig, node: string): string {
  return `${String(config.configurable?.[businessKeyKey])}:${node}`;
}

function numberOrNull(value: unknown): number | null {
  return typeof value === 'number' ? value : null;
}
