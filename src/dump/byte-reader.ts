/** Bytes of a stream taken in the sizes a format asks for. Easy to get wrong: a stream may end in the midst of them. */
import type { ByteStream } from './byte-stream.ts';

/** The stream ended before all bytes that were asked for. */
export class BytesMissing extends Error {
  override readonly name = 'BytesMissing';
}

/** Reads a stream once. Whoever stops early calls {@link ByteReader.close}. */
export class ByteReader {
  readonly #chunks: AsyncIterator<Uint8Array>;
  #chunk: Uint8Array = new Uint8Array(0);
  #at = 0;
  #taken = 0;

  constructor(bytes: ByteStream) {
    this.#chunks = bytes[Symbol.asyncIterator]();
  }

  /** How many bytes were taken. */
  get taken(): number {
    return this.#taken;
  }

  /** Whether there is another byte. */
  async hasMore(): Promise<boolean> {
    while (this.#at === this.#chunk.length) {
      const next = await this.#chunks.next();
      if (next.done === true) return false;
      this.#chunk = next.value;
      this.#at = 0;
    }
    return true;
  }

  /** The next `count` bytes in memory of their own. *Fails* with {@link BytesMissing}. */
  async take(count: number): Promise<Uint8Array> {
    const bytes = new Uint8Array(count);
    let length = 0;
    await this.#pass(count, (part) => {
      bytes.set(part, length);
      length += part.length;
    });
    return bytes;
  }

  /** Passes over `count` bytes. *Fails* with {@link BytesMissing}. */
  async skip(count: number): Promise<void> {
    await this.#pass(count, () => undefined);
  }

  async #pass(count: number, see: (part: Uint8Array) => void): Promise<void> {
    for (let left = count; left > 0;) {
      if (!(await this.hasMore())) throw new BytesMissing();
      const part = this.#chunk.subarray(this.#at, this.#at + left);
      see(part);
      this.#at += part.length;
      this.#taken += part.length;
      left -= part.length;
    }
  }

  /** Closes what is behind the stream. */
  async close(): Promise<void> {
    await this.#chunks.return?.();
  }
}
