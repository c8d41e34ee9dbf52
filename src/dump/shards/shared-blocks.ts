/**
 * Memory that the reader of a text fills and other threads sort, used again and again: a dump of a terabyte passes
 * through a few blocks. Easy to get wrong: a block is free only when nobody looks at it any more, neither the reader,
 * who may still hold an unfinished line of it, nor a thread that sorts its lines.
 */

/** Bytes of a block: large enough to hide the cost of a message, small enough to bound memory. */
export const blockBytes = 4 << 20;

/** Gives blocks out and takes them back. */
export class SharedBlocks {
  readonly #free: SharedArrayBuffer[] = [];
  readonly #holders = new Map<ArrayBufferLike, number>();

  /** A block that the caller holds. */
  take(): Buffer {
    const block = this.#free.pop() ?? new SharedArrayBuffer(blockBytes);
    this.#holders.set(block, 1);
    return Buffer.from(block);
  }

  /** True for memory that other threads can see; only blocks of this pool are. */
  isShared(bytes: Uint8Array): boolean {
    return this.#holders.has(bytes.buffer);
  }

  /** One more holder of the block that `bytes` are part of; other memory is nobody's concern. */
  hold(bytes: Uint8Array): void {
    const holders = this.#holders.get(bytes.buffer);
    if (holders !== undefined) this.#holders.set(bytes.buffer, holders + 1);
  }

  /** One holder less; the last one frees the block. */
  release(bytes: Uint8Array): void {
    const block = bytes.buffer;
    const holders = this.#holders.get(block);
    if (holders === undefined) return;
    if (holders > 1) {
      this.#holders.set(block, holders - 1);
      return;
    }
    this.#holders.delete(block);
    this.#free.push(block as SharedArrayBuffer);
  }
}
