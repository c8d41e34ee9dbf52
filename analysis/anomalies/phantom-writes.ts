/**
 * Tasks that rows call done although they may never have run: in JS with `maxConcurrency`, tasks launched after a
 * sibling failed return at once and are stored as finished without writes. A node that truly returned nothing beside
 * a failed sibling looks the same; an effect log tells the two apart.
 * Source: langgraph-format §6.6; JS pregel/runner.js 136.
 */
import type { Finding } from '#analysis/model/finding.ts';
import { phantomTasks } from '#analysis/executions/phantom-tasks.ts';
import type { Detection, ThreadFacts } from './facts.ts';
import { found } from './found.ts';

/** Reports tasks that may be phantoms; those whose effect is in the log are none. */
export function detectPhantomWrites(facts: ThreadFacts): Detection {
  const findings: Finding[] = [];
  const logged = new Set<string>();
  for (const { execution } of facts.log?.fates ?? []) {
    for (const { parent, task } of execution.effects) logged.add(`${parent ?? ''} ${task ?? ''}`);
  }
  for (const phantom of phantomTasks(facts.thread, facts.names)) {
    if (logged.has(`${phantom.checkpoint} ${phantom.task}`)) continue;
    const name = phantom.node ?? `task ${phantom.task}`;
    findings.push(
      found(facts, 'phantom-write', {
        namespace: phantom.namespace,
        because: `${name} is stored as done without writes at ${phantom.checkpoint}, where a sibling failed: it may never have run`,
        witness: [phantom.checkpoint, phantom.task],
        details: { node: phantom.node },
      }),
    );
  }
  return { findings, undecided: [] };
}
