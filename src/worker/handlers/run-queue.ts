/**
 * A bounded queue between a run and whoever listens to it. Pushing never waits and never fails: the oldest of too many
 * is dropped. The last event is kept whatever was dropped.
 */
export class RunQueue<T> {
  readonly #limit: number;
  readonly #waiting: T[] = [];
  #last: T | null = null;
  #isOver = false;
  #wake: (() => void) | null = null;

  /** `limit`: how many events wait at most; the last one is not counted. */
  constructor(limit: number) {
    this.#limit = limit;
  }

  push(event: T): void {
    if (this.#isOver) return;
    this.#waiting.push(event);
    if (this.#waiting.length > this.#limit) this.#waiting.shift();
    this.#wake?.();
  }

  /** Nothing follows `event`. */
  end(event: T): void {
    this.#last = event;
    this.#isOver = true;
    this.#wake?.();
  }

  /** Nobody wants more; {@link events} ends, and pushing goes on for nobody. */
  stopListening(): void {
    this.#isOver = true;
    this.#waiting.length = 0;
    this.#wake?.();
  }

  /** The events until the last, for one listener. */
  async *events(): AsyncGenerator<T> {
    for (;;) {
      const next = this.#waiting.shift();
      if (next !== undefined) yield next;
      else if (this.#isOver) break;
      else await new Promise<void>((resolve) => (this.#wake = resolve));
    }
    if (this.#last !== null) yield this.#last;
  }
}
