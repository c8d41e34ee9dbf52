/**
 * How a trial uses the payment provider: what the charging node does with it, and what goes wrong at the provider.
 * Faults belong to the environment; no code under test knows of them.
 */

/**
 * Where the idempotency key of a charge comes from. `none`: no key. `request`: derived from what the client asked for,
 * so that every run for the same thing has the same. `minted`: made anew inside the node, so each execution has its own.
 * `look-up`: no key; the node asks first whether the charge exists.
 */
export const keySources = ['none', 'request', 'minted', 'look-up'] as const;
/** One of {@link keySources}. */
export type KeySource = (typeof keySources)[number];

/** How the charging node calls the provider. */
export interface Charging {
  readonly key: KeySource;
  /** Whether the node obeys its abort signal, in its own work and in the call; most nodes do not look at it. */
  readonly obeysSignal: boolean;
}

/**
 * What becomes of the answer. `given`: it is sent. `lost`: the charge is made and the connection destroyed without a
 * byte. `error-before`, `error-after`: a 500 before, or after, the charge is made.
 */
export const answerFates = ['given', 'lost', 'error-before', 'error-after'] as const;
/** One of {@link answerFates}. */
export type AnswerFate = (typeof answerFates)[number];

/** What of a call waits until somebody asks again about the same business key, by a call or by looking it up. */
export const heldParts = ['charge', 'answer'] as const;
/** One of {@link heldParts}. */
export type HeldPart = (typeof heldParts)[number];

/** What goes wrong with a call at the provider. Milliseconds at scale 1. */
export interface ProviderFaults {
  /** A provider so slow that a retry overtakes it, by that event and no timer; null: nothing is held. */
  readonly holds: HeldPart | null;
  /** From the whole request to the charge. */
  readonly commitAfterMs: number;
  /** From the charge to the answer. */
  readonly answerAfterMs: number;
  readonly answer: AnswerFate;
}

/** Nothing goes wrong and nothing is slow. */
export const noFaults: ProviderFaults = {
  holds: null,
  commitAfterMs: 0,
  answerAfterMs: 0,
  answer: 'given',
};

/** How far the provider has come with a call. */
export const providerMoments = ['received', 'committed', 'answered'] as const;
/** One of {@link providerMoments}. */
export type ProviderMoment = (typeof providerMoments)[number];
