/**
 * A growing text in chunks, of which a reader takes as much as it understands. Easy to get wrong: asking again after
 * every chunk whether a statement of a hundred megabytes is complete costs its square; so the reader is asked again
 * only when what it left has doubled.
 */

/** Takes whole units from the front of `bytes` and says how many bytes that was. `isLast`: nothing follows. */
export type Consume = (bytes: Buffer, isLast: boolean) => number;

/** Joins chunks for a {@link Consume}. *Cost*: linear in the bytes, whatever the chunks and the units. */
export class ChunkJoiner {
  readonly #consume: Consume;
  #waiting: Buffer[] = [];
  #waitingBytes = 0;
  #askAgainAt = 1;

  constructor(consume: Consume) {
    this.#consume = consume;
  }

  write(chunk: Buffer): void {
    this.#waiting.push(chunk);
    this.#waitingBytes += chunk.length;
    if (this.#waitingBytes >= this.#askAgainAt) this.#ask(false);
  }

  /** Nothing follows. Returns the bytes that no unit took. */
  end(): Buffer {
    this.#ask(true);
    return this.#waiting[0] ?? Buffer.alloc(0);
  }

  #ask(isLast: boolean): void {
    const bytes = this.#waiting.length === 1 ? this.#waiting[0] : Buffer.concat(this.#waiting);
    if (bytes === undefined) return;
    const rest = bytes.subarray(this.#consume(bytes, isLast));
    this.#waiting = [rest];
    this.#waitingBytes = rest.length;
    this.#askAgainAt = 2 * rest.length + 1;
  }
}
