/**
 * What a provider of effects (payments, say) knows by itself, and what its callers know. The two differ: an answer can
 * be lost after the charge was made. The provider's own records are the authority on what happened; a caller's
 * knowledge says only what its service can act on.
 */
import type { NodeName, RunToken, ThreadId } from './identifiers.ts';

/** One line of a provider's own log, in the order of what it did. Times: monotonic milliseconds of one machine. */
export type ProviderEvent =
  | {
      readonly event: 'received';
      /** 1, 2, 3 … in the order in which whole requests arrived. */
      readonly call: number;
      /** Who called, as the caller says; null for callers that do not. */
      readonly thread: ThreadId | null;
      readonly run: RunToken | null;
      readonly node: NodeName | null;
      /** What is paid for: equal for all requests that ask for the same thing. */
      readonly businessKey: string;
      /** The idempotency key; null: the call has none, and is always carried out. */
      readonly key: string | null;
      readonly atMs: number;
    }
  /** The charge exists from here on, whatever the caller learns. */
  | { readonly event: 'committed'; readonly call: number; readonly charge: string; readonly atMs: number }
  /** The answer is decided, and kept for the key. It may still be lost. */
  | {
      readonly event: 'answered';
      readonly call: number;
      readonly status: number;
      /** The charge that the answer tells of; null when it tells of none. */
      readonly charge: string | null;
      /** The error code; null for a success. */
      readonly code: string | null;
      /** The call whose answer is repeated; null for an answer of its own. */
      readonly replayOf: number | null;
      readonly atMs: number;
    }
  /** The connection to the caller is over. `sent`: the answer was handed to the system whole before that. */
  | {
      readonly event: 'closed';
      readonly call: number;
      readonly answer: 'sent' | 'lost';
      readonly atMs: number;
    };

/** One call as the provider saw it. */
export interface ProviderCall {
  readonly call: number;
  readonly thread: ThreadId | null;
  readonly run: RunToken | null;
  readonly node: NodeName | null;
  readonly businessKey: string;
  readonly key: string | null;
  readonly receivedMs: number;
  /** The charge that this call made; null when it made none (refused, failed before, or a repetition). */
  readonly made: { readonly charge: string; readonly atMs: number } | null;
  /** Null while none is decided. */
  readonly answer: {
    readonly status: number;
    readonly charge: string | null;
    readonly code: string | null;
    readonly replayOf: number | null;
    readonly atMs: number;
  } | null;
  /** Null while the connection is open. */
  readonly closed: { readonly answer: 'sent' | 'lost'; readonly atMs: number } | null;
}

/** The calls about one thread. */
export interface ProviderEvidence {
  /** In the order in which they were received. */
  readonly calls: readonly ProviderCall[];
}

/**
 * What a caller knows of its call. `confirmed`: it has the charge. `refused`: the provider turned it away, so this call
 * made no charge. `unsent`: the request never left. `unknown`: the request left, and neither a success nor a refusal
 * came back; a 5xx is unknown too.
 *
 * *Source*: docs.stripe.com/error-low-level calls the result of a 500 indeterminate.
 */
export const callerViews = ['confirmed', 'refused', 'unsent', 'unknown'] as const;
/** One of {@link callerViews}. */
export type CallerView = (typeof callerViews)[number];

/** One call as its caller saw it. Times: monotonic milliseconds of one machine. */
export interface CallerRecord {
  readonly node: NodeName;
  readonly businessKey: string;
  readonly key: string | null;
  readonly knows: CallerView;
  /** The last HTTP status; null when none came. */
  readonly status: number | null;
  /** The charge it was told of; null when it was told of none. */
  readonly charge: string | null;
  /** The answer was that of an earlier call, or a look-up found the charge. */
  readonly isReplayed: boolean;
  /** How often the provider said that the key was in use, each of which was followed by another try. */
  readonly conflicts: number;
  readonly beganMs: number;
  /** When the first request had been handed to the system; null when none was. */
  readonly sentMs: number | null;
  readonly endedMs: number;
  /** Why it is not `confirmed`, one line; null when it is. */
  readonly because: string | null;
}
