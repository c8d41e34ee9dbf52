/**
 * The runs a worker has served, and when each is over. A run is not over when its consumer gets control back: after
 * an abort the background loop still stores rows, and node bodies go on as zombies. So three ends are kept apart:
 * the consumer's, the loop's (rows stored) and the bodies'.
 */
import type { RunToken, ThreadId } from '#analysis/model/identifiers.ts';
import type { Json } from '#analysis/model/checkpoint.ts';
import type { CallerRecord } from '#analysis/model/provider.ts';
import type { RunOutcome, RunRecord } from '#analysis/model/run.ts';
import { monotonicMs } from '../protocol/monotonic.ts';
import type { Until } from '../protocol/run-request.ts';

interface Run {
  readonly token: RunToken;
  readonly thread: ThreadId;
  outcome: RunOutcome;
  firstReadMs: number | null;
  lastPutMs: number | null;
  cancelledMs: number | null;
  returned: Json;
  error: string | null;
  consumerEnded: boolean;
  /** `not-started` until the graph's loop begins: a run whose first read failed never begins one. */
  loop: 'not-started' | 'running' | 'ended';
  /** Called once, when the first read has ended. */
  onLoaded: (() => void) | null;
  savesInFlight: number;
  bodiesInFlight: number;
  readonly waiters: Set<() => void>;
  readonly calls: CallerRecord[];
}

/** Tracks every run of one worker process. All methods are idempotent about unknown tokens: they ignore them. */
export class RunRegistry {
  readonly #runs = new Map<RunToken, Run>();
  readonly #worker: string;

  constructor(worker: string) {
    this.#worker = worker;
  }

  /** Registers a run; `onLoaded` is called when it has read its checkpoint. A token may be used once, since two runs of one token could not be told apart. */
  begin(token: RunToken, thread: ThreadId, onLoaded: () => void): boolean {
    if (this.#runs.has(token)) return false;
    this.#runs.set(token, {
      token,
      thread,
      outcome: 'indeterminate',
      firstReadMs: null,
      lastPutMs: null,
      cancelledMs: null,
      returned: null,
      error: null,
      consumerEnded: false,
      loop: 'not-started',
      onLoaded,
      savesInFlight: 0,
      bodiesInFlight: 0,
      waiters: new Set(),
      calls: [],
    });
    return true;
  }

  cancelled(token: RunToken): void {
    this.#change(token, (run) => (run.cancelledMs ??= monotonicMs()));
  }

  readBegan(token: RunToken): void {
    this.#change(token, (run) => {
      run.firstReadMs ??= monotonicMs();
      run.savesInFlight += 1;
    });
  }

  readEnded(token: RunToken): void {
    this.#change(token, (run) => {
      run.savesInFlight -= 1;
      run.onLoaded?.();
      run.onLoaded = null;
    });
  }

  putBegan(token: RunToken): void {
    this.#change(token, (run) => (run.savesInFlight += 1));
  }

  putEnded(token: RunToken): void {
    this.#change(token, (run) => {
      run.lastPutMs = monotonicMs();
      run.savesInFlight -= 1;
    });
  }

  bodyBegan(token: RunToken): void {
    this.#change(token, (run) => (run.bodiesInFlight += 1));
  }

  bodyEnded(token: RunToken): void {
    this.#change(token, (run) => (run.bodiesInFlight -= 1));
  }

  /** A node has made a call to a provider, or has given it up. */
  called(token: RunToken, record: CallerRecord): void {
    this.#change(token, (run) => run.calls.push(record));
  }

  loopBegan(token: RunToken): void {
    this.#change(token, (run) => (run.loop = 'running'));
  }

  loopEnded(token: RunToken): void {
    this.#change(token, (run) => (run.loop = 'ended'));
  }

  /** The consumer of the stream is done: with a returned state, with an error, or cancelled. */
  consumerEnded(token: RunToken, how: { outcome: RunOutcome; returned: Json; error: string | null }): void {
    this.#change(token, (run) => {
      run.outcome = how.outcome;
      run.returned = how.returned;
      run.error = how.error;
      run.consumerEnded = true;
    });
  }

  /** Resolves with the record once the run is over in the asked sense; null for a token never seen here. */
  async wait(token: RunToken, until: Until): Promise<RunRecord | null> {
    const run = this.#runs.get(token);
    if (run === undefined) return null;
    while (!(await this.#isOver(run, until))) {
      await new Promise<void>((resolve) => run.waiters.add(resolve));
    }
    return this.#record(run);
  }

  /**
   * Saves are chained: when one ends, the next begins some microtasks later. So "no save in flight" counts only if
   * it still holds after a full turn of the event loop.
   */
  async #isOver(run: Run, until: Until): Promise<boolean> {
    const over = () => settled(run) && (until === 'ended' || run.bodiesInFlight === 0);
    if (!over()) return false;
    await new Promise((resolve) => setImmediate(resolve));
    return over();
  }

  #record(run: Run): RunRecord {
    return {
      run: run.token,
      thread: run.thread,
      worker: this.#worker,
      outcome: run.outcome,
      firstReadMs: run.firstReadMs,
      lastPutMs: run.lastPutMs,
      cancelledMs: run.cancelledMs,
      returned: run.returned,
      error: run.error,
      ...(run.calls.length === 0 ? {} : { calls: run.calls }),
    };
  }

  #change(token: RunToken, change: (run: Run) => void): void {
    const run = this.#runs.get(token);
    if (run === undefined) return;
    change(run);
    const waiters = [...run.waiters];
    run.waiters.clear();
    for (const wake of waiters) wake();
  }
}

/** Rows are stored: the consumer is done, no loop goes on, no read or save is in flight. */
function settled(run: Run): boolean {
  return run.consumerEnded && run.loop !== 'running' && run.savesInFlight === 0;
}
