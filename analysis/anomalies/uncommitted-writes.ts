/**
 * Finished work without a committed superstep: pending where it can still be resumed, orphaned where a later input
 * dropped it. One finding a checkpoint.
 */
import { pushTo } from '#analysis/model/maps.ts';
import type { Finding } from '#analysis/model/finding.ts';
import type { CheckpointId } from '#analysis/model/identifiers.ts';
import { uncommittedTasks, type UncommittedTask } from '#analysis/executions/pending.ts';
import type { Detection, ThreadFacts } from './facts.ts';
import { found, listText } from './found.ts';

/** Reports pending and orphaned writes. */
export function detectUncommittedWrites(facts: ThreadFacts): Detection {
  const findings: Finding[] = [];
  for (const { account } of facts.namespaces) {
    const byCheckpoint = new Map<CheckpointId, UncommittedTask[]>();
    for (const task of uncommittedTasks(facts.thread, account, facts.names)) {
      pushTo(byCheckpoint, task.checkpoint, task);
    }
    for (const [checkpoint, tasks] of byCheckpoint) {
      const [first] = tasks;
      if (first === undefined) continue;
      const names = tasks.map(({ node, task }) => node ?? `task ${task}`);
      const orphaned = first.fate === 'orphaned';
      findings.push(
        found(facts, orphaned ? 'orphaned-write' : 'pending-write', {
          namespace: account.namespace,
          because: orphaned
            ? `${listText(names)} finished at ${checkpoint}, and a later input dropped what they wrote`
            : `${listText(names)} finished at ${checkpoint}; their superstep is not committed yet`,
          witness: [checkpoint, ...tasks.map(({ task }) => task)],
          details: { nodes: tasks.map(({ node }) => node) },
        }),
      );
    }
  }
  return { findings, undecided: [] };
}
