/**
 * A guard: a mitigation against races that admits a run, lets it wait or turns it away, before the graph reads
 * anything. Easy to get wrong: when an admitted run gives way. Its consumer may have ended long before its rows are
 * stored, and whoever comes in between reads an old checkpoint.
 */
import type pg from 'pg';
import type { RunRequest } from '../../protocol/run-request.ts';

/** An admitted run. */
export interface Admission {
  readonly kind: 'admitted';
  /** The fencing token that its rows are to carry; absent: they carry none. */
  readonly fence?: number;
  /** Lets the next one in. Called once, when the run is over in the sense of {@link Guard.holdsUntil}. */
  readonly leave: () => Promise<void>;
}

/** A run that is turned away; nothing of it has happened. */
export interface Refusal {
  readonly kind: 'refused';
  readonly because: string;
}

/** See the file's head. */
export interface Guard {
  /** `stored`: an admitted run leaves when its rows are stored; `answered`: when its handler is done. */
  readonly holdsUntil: 'stored' | 'answered';
  /** Whether a run may be held back; the client is then told that it waits. Others answer at once. */
  readonly mayWait: boolean;
  /** `signal` fires when the client leaves while the run waits; the guard then refuses. */
  readonly enter: (request: RunRequest, signal: AbortSignal) => Promise<Admission | Refusal>;
  /** Ends what the guard holds (pools, timers). */
  readonly close: () => Promise<void>;
}

/** What a guard is made with, once in a worker. */
export interface GuardContext {
  readonly dsn: string;
  readonly schema: string;
  readonly worker: string;
  /** Multiplies durations, as the graph's delays. */
  readonly scale: number;
  /** The small pool of savers, for arms whose saver uses it. */
  readonly saverPool: pg.Pool;
  readonly services: ReadonlyMap<string, string>;
}
