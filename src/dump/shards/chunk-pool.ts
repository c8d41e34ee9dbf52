/**
 * Memory for the bytes of a text on their way: filled by its reader, sent to the thread that sorts its lines, and sent
 * back to be filled again. Easy to get wrong: memory that was sent away is gone until it comes back, and a page that is
 * touched for the first time can cost more than all that is done with its bytes.
 */

/** Bytes of a chunk: large enough to hide the cost of a message, small enough to bound memory. */
export const chunkBytes = 4 << 20;

/** Gives chunks out and takes them back. */
export class ChunkPool {
  readonly #free: ArrayBuffer[] = [];
  readonly #own = new WeakSet<ArrayBufferLike>();

  /** Memory for at least `bytes`: a chunk, or less where little is wanted, or more for one large line. */
  take(bytes = chunkBytes): Buffer {
    const isChunk = bytes <= chunkBytes && bytes > chunkBytes / 4;
    const memory = (isChunk ? this.#free.pop() : undefined) ?? new ArrayBuffer(isChunk ? chunkBytes : bytes);
    this.#own.add(memory);
    return Buffer.from(memory);
  }

  /** True for a chunk of this pool that was not sent away since. */
  owns(bytes: Uint8Array): boolean {
    return this.#own.has(bytes.buffer);
  }

  /** Takes a chunk back, in whichever object it comes; larger ones are not kept. */
  give(memory: ArrayBuffer): void {
    if (memory.byteLength === chunkBytes) this.#free.push(memory);
  }
}
