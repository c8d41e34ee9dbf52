/**
 * Memory for shards that are read back from a temporary file, used again for the next one: new memory for each would
 * pile up until it is collected, shard by shard. Easy to get wrong: rows may point into it, so only who is done with a
 * thread's rows before it asks for the next thread can have its shards read into such memory.
 */

/** Gives memory out and takes it back. */
export class ShardMemory {
  readonly #free: ArrayBuffer[] = [];

  /** Memory for at least `bytes`. */
  take(bytes: number): ArrayBuffer {
    const memory = this.#free.pop();
    if (memory !== undefined && memory.byteLength >= bytes) return memory;
    // Shards have about one size; a little more lets the next one fit too.
    return new ArrayBuffer(4 * Math.ceil((1.125 * bytes) / 4));
  }

  give(memory: ArrayBuffer): void {
    this.#free.push(memory);
  }
}
