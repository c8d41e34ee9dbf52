/**
 * One business key, several effects of one node: the thing that should have happened once and did not. Attempts of
 * one execution count too, because each of them reached the outside world; they are told apart in the details. Where a
 * provider keeps an account of its own, that decides: records of two runs that it charged for once are no defect.
 */
import { pushTo } from '#analysis/model/maps.ts';
import type { Finding } from '#analysis/model/finding.ts';
import type { NodeName } from '#analysis/model/identifiers.ts';
import { chargingCalls } from '#analysis/provider/charges.ts';
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
    const charges = chargesFor(facts, first.node, String(first.businessKey));
    const runs = [...new Set(effects.map((effect) => effect.run).filter((run) => run !== null))];
    findings.push(
      found(facts, 'duplicated-effect', {
        namespace: first.namespace,
        because: `${first.node} took effect ${effects.length} times for ${String(first.businessKey)}${runs.length > 0 ? `, in ${listText(runs)}` : ''}${charges === null ? '' : `; the provider charged ${charges === 1 ? 'once' : `${charges} times`}`}`,
        witness: runs,
        details: {
          businessKey: first.businessKey,
          node: first.node,
          effects: effects.length,
          executions: executions.length,
          ...(charges === null ? {} : { charges }),
        },
        ...(charges === 1 ? { severity: 'info' as const } : {}),
      }),
    );
  }
  return { findings, undecided: [] };
}

/** What the provider's account says of a business key; null when the node never called one for it. */
function chargesFor({ evidence }: ThreadFacts, node: NodeName, businessKey: string): number | null {
  const calls = (evidence.provider?.calls ?? []).filter(
    (call) => call.node === node && call.businessKey === businessKey,
  );
  return calls.length === 0 ? null : chargingCalls(calls).length;
}
