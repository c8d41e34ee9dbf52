/**
 * What does a run know of what it asked a provider for, and what is true? Easy to get wrong: unknown is an answer of
 * its own. Taken for "no" it charges twice, taken for "yes" it charges nobody; only the provider's account resolves it.
 */
import type { CallerRecord, ProviderCall } from '#analysis/model/provider.ts';
import type { RunRecord } from '#analysis/model/run.ts';

/**
 * `no call`: no node came so far. Otherwise what the caller knows, see `callerViews`; and where that is unknown, whether
 * the provider's account holds a charge that the call made or that its key stands for.
 */
export const effectStatuses = [
  'no call',
  'confirmed',
  'refused',
  'unsent',
  'unknown, not charged',
  'unknown, charged',
] as const;
/** One of {@link effectStatuses}. */
export type EffectStatus = (typeof effectStatuses)[number];

/** The status of one call. `account`: the provider's calls about the thread. */
export function statusOfCall(
  record: CallerRecord,
  { run }: Pick<RunRecord, 'run'>,
  account: readonly ProviderCall[],
): EffectStatus {
  if (record.knows !== 'unknown') return record.knows;
  const isCharged = account.some(
    (call) => call.made !== null && (isOwn(call, record, run) || isSameKey(call, record)),
  );
  return isCharged ? 'unknown, charged' : 'unknown, not charged';
}

/** The status of a run: that of its call which it can build on least, the last of {@link effectStatuses} among them. */
export function statusOfRun(run: RunRecord, account: readonly ProviderCall[]): EffectStatus {
  return (run.calls ?? [])
    .map((record) => statusOfCall(record, run, account))
    .reduce<EffectStatus>((worst, status) => (rank(status) > rank(worst) ? status : worst), 'no call');
}

function rank(status: EffectStatus): number {
  return effectStatuses.indexOf(status);
}

function isOwn(call: ProviderCall, record: CallerRecord, run: RunRecord['run']): boolean {
  return call.run === run && call.node === record.node && call.businessKey === record.businessKey;
}

function isSameKey(call: ProviderCall, record: CallerRecord): boolean {
  return record.key !== null && call.key === record.key;
}
