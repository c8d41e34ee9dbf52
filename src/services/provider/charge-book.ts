/**
 * The provider's own account of what it did: the authority on how often somebody was charged. Every event is in the
 * log before the next thing happens, so the log can lack an end and never a middle.
 */
import { CallFold } from '#analysis/provider/call-fold.ts';
import { pushTo } from '#analysis/model/maps.ts';
import type { RunToken, ThreadId } from '#analysis/model/identifiers.ts';
import type { ProviderCall, ProviderEvent } from '#analysis/model/provider.ts';
import type { ProviderMoment } from '#trials/provider.ts';
import type { Charge, ChargeBody } from './provider-protocol.ts';

/** Who calls; null where the caller does not say. */
export type Caller = Pick<ProviderCall, 'thread' | 'run' | 'node'>;

/** See the file's head. */
export class ChargeBook {
  readonly #write: (event: ProviderEvent) => void;
  readonly #now: () => number;
  readonly #fold = new CallFold();
  readonly #charges: Charge[] = [];
  /** Whoever waits for something to be so; asked again after every event. */
  readonly #waiters = new Set<() => void>();
  /** Numbers of calls by thread and by run. */
  readonly #byThread = new Map<ThreadId, number[]>();
  readonly #byRun = new Map<RunToken, number[]>();
  /** How often somebody has asked about a business key, by a call or by looking it up. */
  readonly #asked = new Map<string, number>();
  #calls = 0;

  /** @param write puts a line into the log; what it throws ends the call. @param now monotonic milliseconds */
  constructor(write: (event: ProviderEvent) => void, now: () => number) {
    this.#write = write;
    this.#now = now;
  }

  /** A whole request has arrived. Returns the number of the call. */
  received(caller: Caller, businessKey: string, key: string | null): number {
    this.#calls += 1;
    const call = this.#calls;
    this.#asked.set(businessKey, this.timesAsked(businessKey) + 1);
    this.#add({ event: 'received', call, ...caller, businessKey, key, atMs: this.#now() });
    return call;
  }

  /** Makes the charge. */
  commit(call: number, body: ChargeBody): Charge {
    const charge: Charge = { id: `ch_${this.#charges.length + 1}`, ...body };
    this.#charges.push(charge);
    this.#add({ event: 'committed', call, charge: charge.id, atMs: this.#now() });
    return charge;
  }

  answered(
    call: number,
    answer: { status: number; charge: string | null; code: string | null; replayOf: number | null },
  ): void {
    this.#add({ event: 'answered', call, ...answer, atMs: this.#now() });
  }

  closed(call: number, answer: 'sent' | 'lost'): void {
    this.#add({ event: 'closed', call, answer, atMs: this.#now() });
  }

  /** Somebody looks a business key up. Returns the charges for it, oldest first. */
  lookedUp(businessKey: string): readonly Charge[] {
    this.#asked.set(businessKey, this.timesAsked(businessKey) + 1);
    this.#wake();
    return this.#charges.filter((charge) => charge.businessKey === businessKey);
  }

  /** How often somebody has asked about a business key by now, by a call or by looking it up. */
  timesAsked(businessKey: string): number {
    return this.#asked.get(businessKey) ?? 0;
  }

  /** Resolves when somebody has asked about a business key more than `times` times. */
  async untilAskedMore(businessKey: string, times: number): Promise<void> {
    await this.#when(() => this.timesAsked(businessKey) > times, null);
  }

  /** The calls about a thread, in the order in which they were received, when every one of them is answered. */
  async callsOf(thread: ThreadId, signal: AbortSignal): Promise<readonly ProviderCall[]> {
    const calls = () => this.#known(this.#byThread.get(thread));
    await this.#when(() => calls().every(({ answer }) => answer !== null), signal);
    return calls();
  }

  /** Resolves when a call of the run has come so far; at once when one has before. Rejects when `signal` fires. */
  async until(run: RunToken, moment: ProviderMoment, signal: AbortSignal): Promise<void> {
    await this.#when(() => this.#known(this.#byRun.get(run)).some((call) => cameTo(call, moment)), signal);
  }

  async #when(holds: () => boolean, signal: AbortSignal | null): Promise<void> {
    signal?.throwIfAborted();
    if (holds()) return;
    await new Promise<void>((resolve, reject) => {
      const look = (): void => {
        if (signal?.aborted !== true && !holds()) return;
        this.#waiters.delete(look);
        signal?.removeEventListener('abort', look);
        if (signal?.aborted === true) reject(signal.reason as Error);
        else resolve();
      };
      this.#waiters.add(look);
      signal?.addEventListener('abort', look);
    });
  }

  #known(numbers: readonly number[] = []): readonly ProviderCall[] {
    return numbers.map((number) => this.#fold.call(number)).filter((call) => call !== null);
  }

  #add(event: ProviderEvent): void {
    this.#write(event);
    this.#fold.add(event);
    if (event.event === 'received') {
      const { thread, run, call } = event;
      if (thread !== null) pushTo(this.#byThread, thread, call);
      if (run !== null) pushTo(this.#byRun, run, call);
    }
    this.#wake();
  }

  #wake(): void {
    for (const look of [...this.#waiters]) look();
  }
}

function cameTo(call: ProviderCall, moment: ProviderMoment): boolean {
  switch (moment) {
    case 'received':
      return true;
    case 'committed':
      return call.made !== null;
    case 'answered':
      return call.answer !== null;
  }
}
