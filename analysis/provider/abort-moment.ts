/**
 * How far had the charge of a run come when the run was aborted? Measured, by the clocks of worker and provider, which
 * are one clock on one machine: what a scenario means to hit and what it hits are not the same.
 */
import type { ProviderCall } from '#analysis/model/provider.ts';
import type { RunRecord } from '#analysis/model/run.ts';

/** In the order of a charge. */
export const abortMoments = [
  'before the request',
  'before the charge',
  'after the charge',
  'after the answer',
] as const;
/** One of {@link abortMoments}. */
export type AbortMoment = (typeof abortMoments)[number];

/** Where the abort fell in the first call of the run; null when the run was not aborted. */
export function abortMomentOf(run: RunRecord, account: readonly ProviderCall[]): AbortMoment | null {
  const { cancelledMs } = run;
  if (cancelledMs === null) return null;
  const [record] = run.calls ?? [];
  if (record?.sentMs === undefined || record.sentMs === null || cancelledMs < record.sentMs)
    return 'before the request';
  // The abort itself may have ended the call, in the same moment.
  if (record.knows !== 'unknown' && cancelledMs > record.endedMs) return 'after the answer';
  const made = account.find((call) => call.run === run.run && call.made !== null)?.made ?? null;
  return made !== null && made.atMs <= cancelledMs ? 'after the charge' : 'before the charge';
}
