/**
 * From the lines of a provider's log to its calls. Easy to get wrong: a caller may close its connection before the
 * provider has committed or answered, so the end of the connection is no end of the call.
 */
import type { ProviderCall, ProviderEvent } from '#analysis/model/provider.ts';

/** Calls in the making. */
export class CallFold {
  readonly #calls = new Map<number, ProviderCall>();

  /** Adds the next line. Lines of a call whose `received` line is absent (a log that was cut) are ignored. */
  add(event: ProviderEvent): void {
    if (event.event === 'received') {
      const { call, thread, run, node, businessKey, key, atMs } = event;
      this.#calls.set(call, {
        ...{ call, thread, run, node, businessKey, key, receivedMs: atMs },
        ...{ made: null, answer: null, closed: null },
      });
      return;
    }
    const known = this.#calls.get(event.call);
    if (known !== undefined) this.#calls.set(event.call, extended(known, event));
  }

  /** The call of that number; null when it was not received. */
  call(number: number): ProviderCall | null {
    return this.#calls.get(number) ?? null;
  }

  /** In the order in which they were received. */
  get calls(): readonly ProviderCall[] {
    return [...this.#calls.values()];
  }
}

function extended(call: ProviderCall, event: Exclude<ProviderEvent, { event: 'received' }>): ProviderCall {
  switch (event.event) {
    case 'committed':
      return { ...call, made: { charge: event.charge, atMs: event.atMs } };
    case 'answered': {
      const { status, charge, code, replayOf, atMs } = event;
      return { ...call, answer: { status, charge, code, replayOf, atMs } };
    }
    case 'closed':
      return { ...call, closed: { answer: event.answer, atMs: event.atMs } };
  }
}
