/**
 * One business key, several effects of one node: the thing that should have happened once and did not. Attempts of
 * one execution count too, because each of them reached the outside world; they are told apart in the details.
 */
import { pushTo } from '#analysis/model/maps.ts';
import type { Finding } from '#analysis/model/finding.ts';
import type { LoggedExecution } from '#analysis/executions/logged.ts';
import type { Detection, ThreadFacts } from './facts.ts';
import { found, listText } from './found.ts';

/** Reports each (business key, node) with more than one effect. */
export function detectDuplicatedEffects(facts: ThreadFacts): Detection {
  const byKey = new Map<string, LoggedExecution[]>();
  for (const { execution } of facts.log?.fates ?? []) {
    const { businessKey } = execution.effects[0];
    if (businessKey === null) continue;
    pushTo(byKey, JSON.stringify([businessKey, execution.node]), execution);
  }
  const findings: Finding[] = [];
  for (const executions of byKey.values()) {
    const effects = executions.flatMap((execution) => execution.effects);
    const [first] = effects;
    if (effects.length < 2 || first === undefined) continue;
    const runs = [...new Set(effects.map((effect) => effect.run).filter((run) => run !== null))];
    findings.push(
      found(facts, 'duplicated-effect', {
        namespace: first.namespace,
        because: `${first.node} took effect ${effects.length} times for ${String(first.businessKey)}${runs.length > 0 ? `, in ${listText(runs)}` : ''}`,
        witness: runs,
        details: {
          businessKey: first.businessKey,
          node: first.node,
          effects: effects.length,
          executions: executions.length,
        },
      }),
    );
  }
  return { findings, undecided: [] };
}
