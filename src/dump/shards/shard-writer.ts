/**
 * The way of rows from the text to the shards: lines are gathered into blocks, blocks are sorted (by other threads,
 * where there are some) and the sorted runs stored in the order of the text. Easy to get wrong: the text is read faster
 * than it is sorted, so the reader waits when too many blocks are on their way.
 */
import { invariant } from '#analysis/model/bug.ts';
import type { DumpSection } from '../dump-tables.ts';
import type { LinePlace, RowSink } from '../row-sink.ts';
import type { Block, Region, SortedBlock, Stretch } from './block.ts';
import { chunkBytes, type ChunkPool } from './chunk-pool.ts';
import type { LayoutCollector } from './shard-layout.ts';
import type { ShardStore } from './shard-store.ts';

/** Sorts a block; see sort-block.ts. The block's memory comes back with the result. */
export type SortBlock = (block: Block) => Promise<SortedBlock>;

/** Fewer bytes than this are copied to others rather than sent alone. */
const worthSending = 256 << 10;

/** Blocks on their way at once: two for each of up to four threads. */
const mostOnTheWay = 8;

/** Lines that are gathered in a chunk of their own. */
interface Gathering {
  readonly section: DumpSection;
  readonly index: number;
  readonly bytes: Buffer;
  used: number;
  readonly ends: number[];
  readonly stretches: Stretch[];
}

interface Sent {
  readonly regions: readonly Region[];
  readonly sorted: Promise<SortedBlock>;
}

/** Takes the rows of one text or of several in turn. */
export class ShardWriter implements RowSink {
  readonly #sort: SortBlock;
  readonly #store: ShardStore;
  readonly #layout: LayoutCollector;
  readonly #chunks: ChunkPool;
  readonly #onTheWay: Sent[] = [];
  #gathering: Gathering | null = null;
  #gatherBytes = 64 << 10;
  /** Regions of the chunk that is being read. */
  #regions: Region[] = [];

  constructor(sort: SortBlock, store: ShardStore, layout: LayoutCollector, chunks: ChunkPool) {
    this.#sort = sort;
    this.#store = store;
    this.#layout = layout;
    this.#chunks = chunks;
  }

  announce(section: DumpSection): void {
    this.#layout.announce(section);
  }

  lines(section: DumpSection, bytes: Buffer, start: number, ends: Uint32Array, place: LinePlace): void {
    const end = ends[ends.length - 1];
    const { layout } = section;
    if (end === undefined || layout === null) return;
    const index = this.#layout.announce(section);
    if (index === null) return;
    const stretch = { first: 0, ...place, isOmitted: false };
    if (end - start < worthSending || !this.#chunks.owns(bytes)) {
      this.#gather(section, index, bytes.subarray(start, end), start, ends, stretch);
      return;
    }
    // What was gathered before comes first.
    this.#flush();
    const { byteOffset } = bytes;
    this.#regions.push({
      section: index,
      layout,
      start: byteOffset + start,
      ends: shifted(ends, byteOffset),
      stretches: [stretch],
    });
  }

  longLine(section: DumpSection, line: Buffer, place: LinePlace): void {
    const index = this.#layout.announce(section);
    if (index === null) return;
    this.#gather(section, index, line, 0, Uint32Array.of(line.length), {
      first: 0,
      ...place,
      isOmitted: true,
    });
  }

  /** Everything of a chunk was told: it is sent away, or free again when nothing of it is read. */
  chunkRead(chunk: Buffer): void {
    if (!this.#chunks.owns(chunk)) return;
    const memory = chunk.buffer as ArrayBuffer;
    if (this.#regions.length === 0) this.#chunks.give(memory);
    else this.#send(memory, this.#regions);
    this.#regions = [];
  }

  /** Waits until there is room for more. *Fails* as the sorting or the storing did. */
  async room(): Promise<void> {
    while (this.#onTheWay.length >= mostOnTheWay) await this.#storeNext();
  }

  /** Sorts and stores what is left of one text; another may follow. */
  async end(): Promise<void> {
    this.#flush();
    while (this.#onTheWay.length > 0) await this.#storeNext();
  }

  /** `ends` count from where `from` is the beginning of `lines`. */
  #gather(
    section: DumpSection,
    index: number,
    lines: Buffer,
    from: number,
    ends: Uint32Array,
    stretch: Stretch,
  ): void {
    let open = this.#gathering;
    if (open !== null && (open.section !== section || open.used + lines.length > open.bytes.length)) {
      this.#flush();
      open = null;
    }
    if (open === null) {
      const bytes = this.#chunks.take(Math.max(this.#gatherBytes, lines.length));
      // Small sources are read in their hundreds by tests and by scripts, and memory has its price.
      this.#gatherBytes = Math.min(chunkBytes, 4 * this.#gatherBytes);
      open = { section, index, bytes, used: 0, ends: [], stretches: [] };
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
    const { layout } = open.section;
    invariant(layout !== null, 'only lines that are read are gathered');
    const ends = Uint32Array.from(open.ends);
    const region = { section: open.index, layout, start: 0, ends, stretches: open.stretches };
    this.#send(open.bytes.buffer as ArrayBuffer, [region]);
  }

  #send(memory: ArrayBuffer, regions: readonly Region[]): void {
    const sorted = this.#sort({ memory, regions });
    // A later block may fail while an earlier one is awaited; it is reported when its turn comes.
    sorted.catch(() => undefined);
    this.#onTheWay.push({ regions, sorted });
  }

  async #storeNext(): Promise<void> {
    const next = this.#onTheWay.shift();
    if (next === undefined) return;
    const { run, memory } = await next.sorted;
    for (const [turn, { section }] of next.regions.entries())
      this.#layout.count(section, run.kept[turn] ?? 0);
    this.#store.add(run);
    this.#chunks.give(memory);
  }
}

function shifted(ends: Uint32Array, by: number): Uint32Array {
  const out = new Uint32Array(ends.length);
  for (let index = 0; index < out.length; index += 1) out[index] = (ends[index] ?? 0) + by;
  return out;
}
