/**
 * A growing text in chunks, of which a reader takes as much as it understands. Easy to get wrong: a unit that reaches
 * over a boundary must be joined, but joining whole chunks copies the dump once more, and asking after every chunk
 * whether a statement of a hundred megabytes is complete costs its square.
 */

/** Takes whole units from the front of `bytes` and says how many bytes that was. `isLast`: nothing follows. */
export type Consume = (bytes: Buffer, isLast: boolean) => number;

/** Joins chunks for a {@link Consume}. *Cost*: linear in the bytes, whatever the chunks and the units. */
export class ChunkJoiner {
  readonly #consume: Consume;
  /** What no unit has taken yet: one piece, or several while a large unit grows. */
  #waiting: Buffer[] = [];
  #waitingBytes = 0;
  #askAgainAt = 0;

  constructor(consume: Consume) {
    this.#consume = consume;
  }

  write(chunk: Buffer): void {
    const [rest] = this.#waiting;
    if (rest === undefined || this.#waitingBytes === 0) this.#take(chunk);
    else if (this.#waiting.length === 1 && rest.length < chunk.length)
      this.#take(this.#acrossBoundary(rest, chunk));
    else {
      this.#waiting.push(Buffer.from(chunk));
      this.#waitingBytes += chunk.length;
      // Doubling keeps the sum of all attempts at one large unit linear.
      if (this.#waitingBytes >= this.#askAgainAt) this.#take(Buffer.concat(this.#waiting));
    }
  }

  /** Nothing follows. Returns the bytes that no unit took. */
  end(): Buffer {
    const bytes = Buffer.concat(this.#waiting);
    return bytes.subarray(this.#consume(bytes, true));
  }

  #take(bytes: Buffer): void {
    // A copy: the chunk's memory is filled again once it was read.
    const rest = Buffer.from(bytes.subarray(this.#consume(bytes, false)));
    this.#waiting = [rest];
    this.#waitingBytes = rest.length;
    this.#askAgainAt = 2 * rest.length;
  }

  /** Completes the unit that `rest` begins with as little of the chunk as will do; returns what is left to take. */
  #acrossBoundary(rest: Buffer, chunk: Buffer): Buffer {
    let begun = rest;
    for (let size = Math.max(firstTaste, rest.length); ; size *= 2) {
      const joined = Buffer.concat([begun, chunk.subarray(0, size)]);
      const used = this.#consume(joined, false);
      if (used >= begun.length) return chunk.subarray(used - begun.length);
      begun = begun.subarray(used);
      if (size >= chunk.length) return Buffer.concat([begun, chunk]);
    }
  }
}

/** Bytes of the next chunk that complete nearly every row: LangGraph's rows are about a kilobyte. */
const firstTaste = 4_096;
