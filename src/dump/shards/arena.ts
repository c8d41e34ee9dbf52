/**
 * Memory that all threads of the process see: the reader of a text fills blocks of it, others sort the lines in them,
 * and lines may stay where they were read. Easy to get wrong: a block is free only when nobody looks at it any more,
 * neither the reader, who may hold an unfinished line of it, nor a thread that sorts it, nor the store that keeps it.
 */
import { invariant } from '#analysis/model/bug.ts';

/** Bytes of a block: large enough to hide the cost of a message, small enough to bound memory. */
export const blockBytes = 4 << 20;

/**
 * Blocks come in slabs, so that a message names a few of these and not hundreds of blocks. The first has one block, for
 * small sources; each further one twice as many as the one before, up to this.
 */
const blocksOfLargestSlab = 64;

/** A stretch of the arena. Survives structured cloning, being numbers. */
export interface ArenaSlice {
  readonly slab: number;
  readonly offset: number;
  readonly length: number;
}

/** Gives blocks out and takes them back; memory once touched is used again, never given back before the end. */
export class Arena {
  readonly #slabs: SharedArrayBuffer[] = [];
  readonly #numbers = new Map<ArrayBufferLike, number>();
  /** Slabs of one large line each. */
  readonly #large = new Set<number>();
  /** Numbers of such slabs that are gone, to be used again. */
  readonly #gone = new Set<number>();
  readonly #free: ArenaSlice[] = [];
  /** Blocks never given out: the rest of the last slab. */
  #fresh: { readonly slab: number; readonly blocks: number; next: number } | null = null;
  readonly #holders = new Map<string, number>();
  #heldBytes = 0;

  /** Bytes that somebody holds. */
  get heldBytes(): number {
    return this.#heldBytes;
  }

  /** All slabs by number, for messages. */
  get slabs(): readonly SharedArrayBuffer[] {
    return this.#slabs;
  }

  /** A block, or for one large line as much as it needs; the caller holds it. */
  take(bytes = blockBytes): Buffer {
    const slice = bytes > blockBytes ? this.#takeLarge(bytes) : (this.#free.pop() ?? this.#freshBlock());
    this.#holders.set(keyOf(slice.slab, slice.offset), 1);
    this.#heldBytes += slice.length;
    return this.bytes(slice);
  }

  /** The bytes of a slice. */
  bytes({ slab, offset, length }: ArenaSlice): Buffer {
    const memory = this.#slabs[slab];
    invariant(memory !== undefined, 'slices name slabs that were made');
    return Buffer.from(memory, offset, length);
  }

  /** The slice that `bytes` are; null for memory that is not the arena's. */
  sliceOf(bytes: Uint8Array): ArenaSlice | null {
    const slab = this.#numbers.get(bytes.buffer);
    return slab === undefined ? null : { slab, offset: bytes.byteOffset, length: bytes.byteLength };
  }

  /** One more holder of the block that the slice is part of. */
  hold(slice: ArenaSlice): void {
    const key = this.#keyOf(slice);
    this.#holders.set(key, (this.#holders.get(key) ?? 0) + 1);
  }

  /** One holder less; the last one frees the block. */
  release(slice: ArenaSlice): void {
    const key = this.#keyOf(slice);
    const holders = this.#holders.get(key) ?? 0;
    invariant(holders > 0, 'a block is released as often as it is held');
    if (holders > 1) {
      this.#holders.set(key, holders - 1);
      return;
    }
    this.#holders.delete(key);
    this.#freed(slice);
  }

  /** Forgets all memory; what others still see of it stays theirs. */
  clear(): void {
    this.#slabs.length = 0;
    this.#numbers.clear();
    this.#free.length = 0;
    this.#fresh = null;
    this.#holders.clear();
    this.#heldBytes = 0;
  }

  #freed({ slab, offset }: ArenaSlice): void {
    const memory = this.#slabs[slab];
    invariant(memory !== undefined, 'a slab outlives its blocks');
    if (!this.#large.has(slab)) {
      this.#free.push({ slab, offset: offset - (offset % blockBytes), length: blockBytes });
      this.#heldBytes -= blockBytes;
      return;
    }
    this.#heldBytes -= memory.byteLength;
    this.#numbers.delete(memory);
    // The number stays taken, because others count on the position of every slab.
    this.#slabs[slab] = new SharedArrayBuffer(0);
    this.#large.delete(slab);
    this.#gone.add(slab);
  }

  #freshBlock(): ArenaSlice {
    if (this.#fresh === null || this.#fresh.next === this.#fresh.blocks) {
      const blocks = Math.min(blocksOfLargestSlab, 2 * (this.#fresh?.blocks ?? 0.5));
      // The system hands memory out when it is first written, so an unused rest of a slab costs nothing.
      this.#fresh = { slab: this.#addSlab(blocks * blockBytes), blocks, next: 0 };
    }
    const { slab, next } = this.#fresh;
    this.#fresh.next += 1;
    return { slab, offset: next * blockBytes, length: blockBytes };
  }

  #takeLarge(length: number): ArenaSlice {
    const slab = this.#addSlab(length);
    this.#large.add(slab);
    return { slab, offset: 0, length };
  }

  #addSlab(bytes: number): number {
    const memory = new SharedArrayBuffer(bytes);
    const [gone] = this.#gone;
    const slab = gone ?? this.#slabs.length;
    if (gone !== undefined) this.#gone.delete(gone);
    this.#slabs[slab] = memory;
    this.#numbers.set(memory, slab);
    return slab;
  }

  #keyOf({ slab, offset }: ArenaSlice): string {
    return keyOf(slab, this.#large.has(slab) ? 0 : offset - (offset % blockBytes));
  }
}

function keyOf(slab: number, offset: number): string {
  return `${slab}:${offset}`;
}
