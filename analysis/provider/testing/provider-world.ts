/**
 * A small provider and its callers as records, for tests: calls with chosen keys that are answered, lost or aborted.
 * What the world knows (who was charged) comes beside what each side recorded, so that tests have an oracle.
 */
import type { CallerRecord, CallerView, ProviderCall } from '#analysis/model/provider.ts';
import type { RunRecord } from '#analysis/model/run.ts';
import type { NodeName, RunToken, ThreadId } from '#analysis/model/identifiers.ts';

/** The thread of every record. */
export const thread = 't' as ThreadId;
/** The node of every call. */
export const node = 'charge' as NodeName;

/** A call as the provider saw it: received at 10, charged at 20 where it was, answered at 30. */
export function providerCall(
  run: string,
  call: number,
  changes: Partial<Omit<ProviderCall, 'run'>> = {},
): ProviderCall {
  return {
    ...{ call, thread, run: run as RunToken, node, businessKey: 'booking', key: null, receivedMs: 10 },
    made: { charge: `ch_${call}`, atMs: 20 },
    answer: { status: 200, charge: `ch_${call}`, code: null, replayOf: null, atMs: 30 },
    closed: null,
    ...changes,
  };
}

/** A call as its caller saw it: begun at 5, sent at 9, ended at 31. */
export function callerRecord(knows: CallerView, changes: Partial<CallerRecord> = {}): CallerRecord {
  return {
    ...{ node, businessKey: 'booking', key: null, knows, status: null, charge: null, isReplayed: false },
    ...{ conflicts: 0, beganMs: 5, sentMs: 9, endedMs: 31, because: null, ...changes },
  };
}

/** A run with its calls. */
export function runRecord(
  run: string,
  calls: readonly CallerRecord[],
  cancelledMs: number | null = null,
): RunRecord {
  return {
    ...{ run: run as RunToken, thread, worker: 'w', outcome: 'completed', firstReadMs: 0, lastPutMs: 40 },
    ...{ cancelledMs, returned: null, error: null, calls },
  };
}
