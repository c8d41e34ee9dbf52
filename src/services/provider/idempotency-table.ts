/**
 * What a key makes of a call, after Stripe's API v1. The first call with a key is carried out, and its answer is kept
 * whatever it is, a 500 too, once the work has begun; later calls with the same parameters get that answer. Easy to get
 * wrong: what is refused before the work begins (a conflict, a bad parameter) is not kept, so the key stays usable.
 *
 * *Source*: docs.stripe.com/api/idempotent_requests (kept from the moment the endpoint begins, 500 included; other
 * parameters are an error; concurrent calls are not kept), docs.stripe.com/error-low-level (status codes, the replay
 * header), docs.stripe.com/error-codes (idempotency_key_in_use). Which of two objections comes first, conflict or other
 * parameters, is not documented; here it is the parameters. Stripe keeps a key for 24 hours at least; here it is kept
 * for ever, since no series takes that long.
 */

/** What becomes of a call. `replay`: the answer that is kept, and the call that it was the answer to. */
export type Admission<Answer> =
  | { readonly kind: 'first' }
  | { readonly kind: 'replay'; readonly answer: Answer; readonly call: number }
  | { readonly kind: 'in-use' }
  | { readonly kind: 'other-parameters' };

/** See the file's head. */
export class IdempotencyTable<Answer> {
  readonly #keys = new Map<
    string,
    { readonly parameters: string; kept: { readonly answer: Answer; readonly call: number } | null }
  >();

  /** Decides about a call and, when it is the first with its key, takes the key. `parameters`: equal text for equal calls. */
  admit(key: string, parameters: string): Admission<Answer> {
    const known = this.#keys.get(key);
    if (known === undefined) {
      this.#keys.set(key, { parameters, kept: null });
      return { kind: 'first' };
    }
    if (known.parameters !== parameters) return { kind: 'other-parameters' };
    return known.kept === null ? { kind: 'in-use' } : { kind: 'replay', ...known.kept };
  }

  /** Keeps the answer to `call`, the first with the key. */
  keep(key: string, answer: Answer, call: number): void {
    const known = this.#keys.get(key);
    if (known !== undefined) known.kept ??= { answer, call };
  }
}
