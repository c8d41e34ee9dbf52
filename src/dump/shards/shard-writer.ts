/**
 * The way of rows from the text to the shards: lines are gathered into blocks, blocks are sorted (by other threads,
 * where there are some) and the sorted runs stored in the order of the text. Easy to get wrong: the text is read faster
 * than it is sorted, so the reader waits when too many blocks are on their way.
 */
import { invariant } from '#analysis/model/bug.ts';
import type { DumpSection } from '../dump-tables.ts';
import type { LinePlace, RowSink } from '../row-sink.ts';
import { blockBytes, type Arena, type ArenaSlice } from './arena.ts';
import type { Block, Run, Stretch } from './block.ts';
import { moveRow, offsetAt } from './row-index.ts';
import type { LayoutCollector } from './shard-layout.ts';
import type { HeldRun, ShardStore } from './shard-store.ts';

/** Sorts a block; see sort-block.ts. */
export type SortBlock = (block: Block) => Promise<Run>;

/** Fewer bytes than this are copied to others rather than sent alone. */
const worthSending = 256 << 10;

/** Blocks on their way at once: two for each of up to four threads. */
const mostOnTheWay = 8;

interface Gathering {
  readonly section: DumpSection;
  readonly index: number;
  readonly bytes: Buffer;
  readonly slice: ArenaSlice;
  used: number;
  readonly ends: number[];
  readonly stretches: Stretch[];
}

interface Sent {
  readonly section: number;
  /** The lines before they were cut. */
  readonly slice: ArenaSlice;
  readonly run: Promise<Run>;
}

/** Takes the rows of one text or of several in turn. */
export class ShardWriter implements RowSink {
  readonly #sort: SortBlock;
  readonly #store: ShardStore;
  readonly #layout: LayoutCollector;
  readonly #arena: Arena;
  readonly #onTheWay: Sent[] = [];
  #gathering: Gathering | null = null;
  /** Lines that were cut short are moved together here; null: none yet. */
  #packed: { readonly slice: ArenaSlice; readonly bytes: Buffer; used: number } | null = null;

  constructor(sort: SortBlock, store: ShardStore, layout: LayoutCollector, arena: Arena) {
    this.#sort = sort;
    this.#store = store;
    this.#layout = layout;
    this.#arena = arena;
  }

  announce(section: DumpSection): void {
    this.#layout.announce(section);
  }

  lines(section: DumpSection, bytes: Buffer, start: number, ends: readonly number[], place: LinePlace): void {
    const end = ends.at(-1);
    if (end === undefined) return;
    const index = this.#layout.announce(section);
    if (index === null || section.layout === null) return;
    const slice = end - start >= worthSending ? this.#arena.sliceOf(bytes.subarray(start, end)) : null;
    const stretch = { first: 0, ...place, isOmitted: false };
    if (slice === null) this.#gather(section, index, bytes.subarray(start, end), start, ends, stretch);
    else {
      this.#flush();
      this.#arena.hold(slice);
      this.#send(section, index, slice, start, ends, [stretch]);
    }
  }

  longLine(section: DumpSection, line: Buffer, place: LinePlace): void {
    const index = this.#layout.announce(section);
    if (index === null) return;
    this.#gather(section, index, line, 0, [line.length], { first: 0, ...place, isOmitted: true });
  }

  /** Waits until there is room for more. *Fails* as the sorting or the storing did. */
  async room(): Promise<void> {
    while (this.#onTheWay.length >= mostOnTheWay) await this.#storeNext();
  }

  /** Sorts and stores what is left. */
  async end(): Promise<void> {
    this.#flush();
    while (this.#onTheWay.length > 0) await this.#storeNext();
    if (this.#packed !== null) this.#arena.release(this.#packed.slice);
    this.#packed = null;
  }

  /** `ends` count from where `from` is the beginning of `lines`. */
  #gather(
    section: DumpSection,
    index: number,
    lines: Buffer,
    from: number,
    ends: readonly number[],
    stretch: Stretch,
  ): void {
    let open = this.#gathering;
    if (open !== null && (open.section !== section || open.used + lines.length > open.bytes.length)) {
      this.#flush();
      open = null;
    }
    if (open === null) {
      const bytes = this.#arena.take(lines.length);
      const slice = this.#arena.sliceOf(bytes);
      invariant(slice !== null, 'the arena knows its own memory');
      open = { section, index, bytes, slice, used: 0, ends: [], stretches: [] };
      this.#gathering = open;
    }
    open.bytes.set(lines, open.used);
    open.stretches.push({ ...stretch, first: open.ends.length });
    for (const end of ends) open.ends.push(open.used + end - from);
    open.used += lines.length;
  }

  #flush(): void {
    const open = this.#gathering;
    this.#gathering = null;
    if (open === null) return;
    const slice = { ...open.slice, length: open.used };
    this.#send(open.section, open.index, slice, 0, open.ends, open.stretches);
  }

  /** The slice is held for it; `ends` count from where `from` is the beginning of the slice. */
  #send(
    { layout }: DumpSection,
    section: number,
    slice: ArenaSlice,
    from: number,
    ends: readonly number[],
    stretches: readonly Stretch[],
  ): void {
    const memory = this.#arena.slabs[slice.slab];
    invariant(layout !== null && memory !== undefined, 'only lines that are read are sent');
    const { slab, offset: start } = slice;
    const absolute = Uint32Array.from(ends, (end) => end - from + start);
    const run = this.#sort({ section, layout, memory, slab, start, ends: absolute, stretches });
    // A later block may fail while an earlier one is awaited; it is reported when its turn comes.
    run.catch(() => undefined);
    this.#onTheWay.push({ section, slice, run });
  }

  async #storeNext(): Promise<void> {
    const next = this.#onTheWay.shift();
    if (next === undefined) return;
    const run = await next.run;
    this.#layout.count(next.section, run.kept);
    if (run.kept === 0) this.#arena.release(next.slice);
    else this.#store.add(this.#held(run, next.slice));
  }

  /** Where little of a block is left, it is moved together with others and the block is free again. */
  #held(run: Run, slice: ArenaSlice): HeldRun {
    const { rows, offsets, end, kept } = run;
    const length = end - slice.offset;
    if (length > slice.length / 2 || length > blockBytes / 4) return { rows, offsets, slices: [slice] };
    const packed = this.#packedRoom(length);
    packed.bytes.set(this.#arena.bytes({ ...slice, length }), packed.used);
    const shift = packed.slice.offset + packed.used - slice.offset;
    for (let index = 0; index < kept; index += 1) {
      moveRow(rows, index, packed.slice.slab, offsetAt(rows, index) + shift);
    }
    packed.used += length;
    this.#arena.release(slice);
    this.#arena.hold(packed.slice);
    return { rows, offsets, slices: [packed.slice] };
  }

  #packedRoom(length: number): { readonly slice: ArenaSlice; readonly bytes: Buffer; used: number } {
    if (this.#packed !== null && this.#packed.used + length <= blockBytes) return this.#packed;
    if (this.#packed !== null) this.#arena.release(this.#packed.slice);
    const bytes = this.#arena.take();
    const slice = this.#arena.sliceOf(bytes);
    invariant(slice !== null, 'the arena knows its own memory');
    this.#packed = { slice, bytes, used: 0 };
    return this.#packed;
  }
}
