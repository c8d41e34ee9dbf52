/**
 * Where the provider's account and what its callers know disagree, which the account decides. Easy to get wrong: a
 * charge is known as soon as one caller was told of it, also by a repeated answer or a look-up; and a caller whose
 * record nobody has (its worker died, its trial was aborted) may know anything.
 */
import type { CallerRecord, ProviderCall } from '#analysis/model/provider.ts';
import type { RunRecord } from '#analysis/model/run.ts';
import { chargesByKey } from './charges.ts';

/** A charge that exists, with the call that made it. */
export interface ChargingCall extends ProviderCall {
  readonly made: NonNullable<ProviderCall['made']>;
}

/** A business key that was charged for more than once. */
export interface RepeatedCharge {
  readonly businessKey: string;
  /** At least two, in the order in which they were received. */
  readonly calls: readonly ChargingCall[];
}

/** Business keys with more than one charge. */
export function repeatedCharges(account: readonly ProviderCall[]): readonly RepeatedCharge[] {
  return [...chargesByKey(account)]
    .map(([businessKey, calls]) => ({ businessKey, calls: calls.filter(isCharging) }))
    .filter(({ calls }) => calls.length > 1);
}

/**
 * Charges of which no caller was told: money that somebody paid and no part of the service has heard of. `undecided`:
 * those of callers without a record, as long as nobody else was told of them.
 */
export function unknownCharges(
  account: readonly ProviderCall[],
  runs: readonly RunRecord[],
): { readonly unknown: readonly ChargingCall[]; readonly undecided: readonly ChargingCall[] } {
  const told = new Set(runs.flatMap(({ calls }) => (calls ?? []).map(({ charge }) => charge)));
  const recorded = new Set<string | null>(runs.map(({ run }) => run));
  const untold = account.filter(isCharging).filter(({ made }) => !told.has(made.charge));
  return {
    unknown: untold.filter(({ run }) => recorded.has(run)),
    undecided: untold.filter(({ run }) => !recorded.has(run)),
  };
}

/** A run that was told of a charge which the provider's account lacks. */
export interface MissingCharge {
  readonly run: RunRecord['run'];
  readonly record: CallerRecord;
}

/**
 * Charges that a caller was told of and that the account lacks. A repeated answer or a look-up may tell of a charge that
 * was made for another thread, whose part of the account is not here, so these are left out.
 */
export function missingCharges(
  account: readonly ProviderCall[],
  runs: readonly RunRecord[],
): readonly MissingCharge[] {
  const held = new Set<string | null>(account.filter(isCharging).map(({ made }) => made.charge));
  return runs.flatMap(({ run, calls = [] }) =>
    calls
      .filter(({ charge, isReplayed }) => charge !== null && !isReplayed && !held.has(charge))
      .map((record) => ({ run, record })),
  );
}

function isCharging(call: ProviderCall): call is ChargingCall {
  return call.made !== null;
}
