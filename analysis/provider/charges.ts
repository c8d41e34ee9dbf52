/** How often somebody was charged: by the provider's own account, never by what a caller or a log believes. */
import { getOrMake } from '#analysis/model/maps.ts';
import type { NodeName } from '#analysis/model/identifiers.ts';
import type { ProviderCall } from '#analysis/model/provider.ts';

/** Calls that made a charge. */
export function chargingCalls(calls: readonly ProviderCall[]): readonly ProviderCall[] {
  return calls.filter(({ made }) => made !== null);
}

/** Charges by the node that asked for them; those of callers that do not say are counted nowhere. */
export function chargesByNode(calls: readonly ProviderCall[]): ReadonlyMap<NodeName, number> {
  const counts = new Map<NodeName, number>();
  for (const { node } of chargingCalls(calls)) {
    if (node !== null) counts.set(node, (counts.get(node) ?? 0) + 1);
  }
  return counts;
}

/** The charging calls of each business key; no key without a charge. */
export function chargesByKey(calls: readonly ProviderCall[]): ReadonlyMap<string, readonly ProviderCall[]> {
  const byKey = new Map<string, ProviderCall[]>();
  for (const call of chargingCalls(calls)) getOrMake(byKey, call.businessKey, () => []).push(call);
  return byKey;
}
