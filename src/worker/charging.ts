/**
 * What a node with a business key does when its arm charges at the provider: it works, charges, and goes on only with a
 * charge that it knows of. Easy to get wrong: a node that fails after its call has not undone it, so whoever runs the
 * node again decides by the key whether somebody pays twice.
 */
import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { LangGraphRunnableConfig } from '@langchain/langgraph';
import type { NodeName, RunToken } from '#analysis/model/identifiers.ts';
import type { CallerRecord } from '#analysis/model/provider.ts';
import type { Charging } from '#trials/provider.ts';
import { monotonicMs } from '../protocol/monotonic.ts';
import { chargingSchema } from '../protocol/charging.ts';
import { charge, chargeFor } from './provider-client.ts';

/** The `configurable` key that carries the arm's way of charging to the nodes; absent: nothing is charged. */
export const chargingKey = 'forkscope_charging';

/** The way of charging that a run's configuration carries; null when it charges nothing. */
export function chargingOf(config: LangGraphRunnableConfig): Charging | null {
  const value: unknown = config.configurable?.[chargingKey];
  return value === undefined ? null : chargingSchema.parse(value);
}

/** The node does not know whether it has charged, or knows that it has not; its run fails. */
export class ChargeNotConfirmed extends Error {
  override readonly name = 'ChargeNotConfirmed';
}

/** A node's work before its effect. Rejects when the signal that the node obeys fires; null: it obeys none. */
export async function work(ms: number, signal: AbortSignal | null): Promise<void> {
  await delay(ms, undefined, signal === null ? {} : { signal });
}

/** Charges once for a business key and tells `onCall` what it knows then. Fails with {@link ChargeNotConfirmed}. */
export async function chargeForNode(options: {
  address: string;
  charging: Charging;
  /** What the node obeys, in its call too; null: nothing. */
  signal: AbortSignal | null;
  order: {
    readonly thread: string;
    readonly run: RunToken;
    readonly node: string;
    readonly businessKey: string;
  };
  onCall: (record: CallerRecord) => void;
}): Promise<void> {
  const { address, charging, signal, order, onCall } = options;
  if (charging.key === 'look-up') {
    const beganMs = monotonicMs();
    const known = await chargeFor(address, order.businessKey);
    if (known !== null) {
      onCall(lookedUp(order, known, beganMs));
      return;
    }
  }
  const record = await charge(address, {
    ...order,
    key: keyFor(charging, order.businessKey),
    signal,
  });
  onCall(record);
  if (record.knows !== 'confirmed') {
    throw new ChargeNotConfirmed(`charge ${record.knows}: ${record.because ?? 'no reason given'}`);
  }
}

function keyFor({ key }: Charging, businessKey: string): string | null {
  if (key === 'request') return businessKey;
  return key === 'minted' ? randomUUID() : null;
}

function lookedUp(
  { node, businessKey }: { readonly node: string; readonly businessKey: string },
  charge: string,
  beganMs: number,
): CallerRecord {
  return {
    ...{ node: node as NodeName, businessKey, key: null, knows: 'confirmed', status: null, charge },
    ...{ isReplayed: true, conflicts: 0, beganMs, sentMs: null, endedMs: monotonicMs(), because: null },
  };
}
