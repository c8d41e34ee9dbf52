/**
 * An effect log as executions: one per (parent checkpoint, task, run), its attempts inside. Two racing workers
 * compute the same task id, so without the run (or at least the worker) their executions would look like one; a retry
 * inside one run is the same execution again.
 */
import { pushTo } from '#analysis/model/maps.ts';
import type { Effect, EffectLog } from '#analysis/model/effect.ts';
import type { NodeName } from '#analysis/model/identifiers.ts';
import type { NodeCounts } from '#analysis/model/report.ts';
import { effectIdentity } from './log-health.ts';

/** One execution as a log shows it. */
export interface LoggedExecution {
  readonly node: NodeName;
  /** Its records in the order of attempts; at least one. */
  readonly effects: readonly [Effect, ...Effect[]];
  /** False when only the second instrument has it: the log lost its records. */
  readonly inLog: boolean;
}

/** Groups records into executions. Shape: in the order of their first record. Cost: linear. */
export function loggedExecutions(log: EffectLog): LoggedExecution[] {
  const inFile = groupEffects(log.effects);
  const executions: LoggedExecution[] = [...inFile.values()].map((effects) => execution(effects, true));
  if (log.table === null) return executions;
  const held = new Set(log.effects.map(effectIdentity));
  const missing = log.table.filter((effect) => !held.has(effectIdentity(effect)));
  for (const [key, effects] of groupEffects(missing)) {
    // One attempt of several may be lost; the execution itself is in the log then.
    if (!inFile.has(key)) executions.push(execution(effects, false));
  }
  return executions;
}

/** Executions per node. */
export function countExecutions(executions: Iterable<LoggedExecution>): NodeCounts {
  const counts = new Map<NodeName, number>();
  for (const { node } of executions) counts.set(node, (counts.get(node) ?? 0) + 1);
  return counts;
}

function execution(effects: readonly Effect[], inLog: boolean): LoggedExecution {
  const ordered = [...effects].sort((a, b) => (a.attempt ?? 0) - (b.attempt ?? 0)) as [Effect, ...Effect[]];
  return { node: ordered[0].node, effects: ordered, inLog };
}

function groupEffects(effects: readonly Effect[]): Map<string, Effect[]> {
  const groups = new Map<string, Effect[]>();
  effects.forEach((effect, at) => {
    const { namespace, parent, task, node } = effect;
    const actor = effect.run ?? effect.worker;
    // A foreign log without these has nothing to group by: each record stands for itself.
    const key =
      parent === null || task === null || actor === null
        ? `#${at}`
        : JSON.stringify([namespace, parent, task, actor, node]);
    pushTo(groups, key, effect);
  });
  return groups;
}
