/**
 * Operations and runs. An operation is what a client asked and learned (invoke, then ok, fail or info); a run is
 * what a worker did about it. A client can learn nothing (info) while the run goes on.
 */
import type { Json } from './checkpoint.ts';
import type { RunToken, ThreadId } from './identifiers.ts';
import type { CallerRecord } from './provider.ts';

/** `ok` it happened; `fail` it certainly did not; `info` it may have happened. */
export type OperationOutcome = 'ok' | 'fail' | 'info';

/**
 * How a run ended, as its worker saw it. `refused`: a mitigation turned it away before it read anything;
 * `indeterminate`: the worker died or could not tell.
 */
export type RunOutcome = 'completed' | 'cancelled' | 'errored' | 'refused' | 'indeterminate';

/** One invoke or stream of the graph. Times are monotonic milliseconds of one machine; null when it did not happen. */
export interface RunRecord {
  readonly run: RunToken;
  readonly thread: ThreadId;
  readonly worker: string;
  readonly outcome: RunOutcome;
  /** The first `getTuple` of the run began. */
  readonly firstReadMs: number | null;
  /** The last `put` or `putWrites` of the run ended. */
  readonly lastPutMs: number | null;
  /** The run's abort signal fired. */
  readonly cancelledMs: number | null;
  /** The final state the run itself handed back; null when it handed back none. */
  readonly returned: Json;
  /** Why it errored, one line; null otherwise. */
  readonly error: string | null;
  /** What its nodes know of their calls to a provider, in the order in which they ended; absent: they made none. */
  readonly calls?: readonly CallerRecord[] | undefined;
}

/** One request of a client, from its history. */
export interface OperationRecord {
  readonly run: RunToken;
  readonly thread: ThreadId;
  readonly request: string;
  readonly outcome: OperationOutcome;
  /** Which worker answered; null when none did. */
  readonly servedBy: string | null;
  readonly because: string | null;
}
