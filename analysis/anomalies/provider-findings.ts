/**
 * Findings that rest on a provider's own account: what it charged for twice, what it charged without anybody knowing,
 * and what somebody believes that it never charged. An effect log can show none of these, since a line of it says that
 * a node went on, not that somebody paid.
 */
import type { Finding, Undecided } from '#analysis/model/finding.ts';
import {
  missingCharges,
  repeatedCharges,
  unknownCharges,
  type ChargingCall,
} from '#analysis/provider/account-gaps.ts';
import { statusOfRun } from '#analysis/provider/effect-status.ts';
import { nothingFound, type Detection, type ThreadFacts } from './facts.ts';
import { found, listText } from './found.ts';

/** Reports each business key with more than one charge. */
export function detectRepeatedCharges(facts: ThreadFacts): Detection {
  const account = facts.evidence.provider?.calls ?? [];
  const findings = repeatedCharges(account).map(({ businessKey, calls }): Finding => {
    const keys = new Set(calls.map(({ key }) => key ?? 'none'));
    const why = keys.size > 1 ? `under ${keys.size} idempotency keys` : 'without an idempotency key';
    return found(facts, 'repeated-charge', {
      namespace: null,
      because: `the provider charged ${calls.length} times for ${businessKey}, ${why}: ${listText(calls.map(chargeText))}`,
      witness: calls.map(({ made }) => made.charge),
      details: { businessKey, charges: calls.length, keys: [...keys] },
    });
  });
  return { findings, undecided: [] };
}

/** Reports charges of which no caller was told, and charges that only a caller knows. */
export function detectOneSidedCharges(facts: ThreadFacts): Detection {
  const { provider, runs } = facts.evidence;
  if (provider === undefined || provider === null || runs === null) return nothingFound;
  const { unknown, undecided } = unknownCharges(provider.calls, runs);
  const findings = unknown.map((call): Finding => {
    const run = runs.find((record) => record.run === call.run);
    const knows = run === undefined ? 'no call' : statusOfRun(run, provider.calls);
    return found(facts, 'unknown-charge', {
      namespace: null,
      because: `the provider made ${chargeText(call)} for ${call.businessKey}, and nobody was told of it: its run knows ${JSON.stringify(knows)}`,
      witness: [call.made.charge],
      details: { businessKey: call.businessKey, node: call.node, run: call.run, knows },
    });
  });
  for (const { run, record } of missingCharges(provider.calls, runs)) {
    findings.push(
      found(facts, 'missing-charge', {
        namespace: null,
        because: `run ${run} was told of charge ${String(record.charge)} for ${record.businessKey}, which the provider does not have`,
        witness: [run],
        details: { businessKey: record.businessKey, node: record.node, charge: record.charge },
      }),
    );
  }
  return { findings, undecided: undecided.map(openQuestion) };
}

function openQuestion(call: ChargingCall): Undecided {
  return {
    question: `whether anybody knows of charge ${call.made.charge}`,
    reason: `there is no record of ${call.run === null ? 'who asked for it' : `run ${call.run}`}`,
  };
}

function chargeText({ made, run }: ChargingCall): string {
  return `${made.charge}${run === null ? '' : ` for run ${run}`}`;
}
