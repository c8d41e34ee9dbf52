/**
 * The way of rows from the text to the shards: lines are gathered into blocks, blocks are sorted (by other threads,
 * where there are some) and the sorted runs stored in the order of the text. Easy to get wrong: the text is read faster
 * than it is sorted, so the reader waits when too many blocks are on their way.
 */
import type { DumpSection } from '../dump-tables.ts';
import type { LinePlace, RowSink } from '../row-sink.ts';
import type { Block, Run, Stretch } from './block.ts';
import type { RunStore } from './run-store.ts';
import type { LayoutCollector } from './shard-layout.ts';
import { blockBytes, type SharedBlocks } from './shared-blocks.ts';

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
  used: number;
  readonly ends: number[];
  readonly stretches: Stretch[];
}

/** Takes the rows of one text or of several in turn. */
export class ShardWriter implements RowSink {
  readonly #sort: SortBlock;
  readonly #store: RunStore;
  readonly #layout: LayoutCollector;
  readonly #blocks: SharedBlocks;
  readonly #onTheWay: { readonly section: number; readonly run: Promise<Run> }[] = [];
  #gathering: Gathering | null = null;

  constructor(sort: SortBlock, store: RunStore, layout: LayoutCollector, blocks: SharedBlocks) {
    this.#sort = sort;
    this.#store = store;
    this.#layout = layout;
    this.#blocks = blocks;
  }

  announce(section: DumpSection): void {
    this.#layout.announce(section);
  }

  lines(section: DumpSection, bytes: Buffer, start: number, ends: readonly number[], place: LinePlace): void {
    const end = ends.at(-1);
    if (end === undefined) return;
    const index = this.#layout.announce(section);
    if (index === null || section.layout === null) return;
    if (end - start >= worthSending && this.#blocks.isShared(bytes)) {
      this.#flush();
      this.#blocks.hold(bytes);
      this.#send({
        section: index,
        layout: section.layout,
        bytes,
        start,
        ends: Uint32Array.from(ends),
        stretches: [{ first: 0, ...place, isOmitted: false }],
      });
    } else this.#gather(section, index, bytes, start, ends, { first: 0, ...place, isOmitted: false });
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
  }

  #gather(
    section: DumpSection,
    index: number,
    bytes: Buffer,
    start: number,
    ends: readonly number[],
    stretch: Stretch,
  ): void {
    const end = ends.at(-1) ?? start;
    const length = end - start;
    let open = this.#gathering;
    if (open !== null && (open.section !== section || open.used + length > open.bytes.length)) {
      this.#flush();
      open = null;
    }
    if (open === null) {
      const room = length > blockBytes ? Buffer.from(new SharedArrayBuffer(length)) : this.#blocks.take();
      open = { section, index, bytes: room, used: 0, ends: [], stretches: [] };
      this.#gathering = open;
    }
    bytes.copy(open.bytes, open.used, start, end);
    open.stretches.push({ ...stretch, first: open.ends.length });
    for (const lineEnd of ends) open.ends.push(open.used + lineEnd - start);
    open.used += length;
  }

  #flush(): void {
    const open = this.#gathering;
    this.#gathering = null;
    if (open === null || open.section.layout === null) return;
    this.#send({
      section: open.index,
      layout: open.section.layout,
      bytes: open.bytes,
      start: 0,
      ends: Uint32Array.from(open.ends),
      stretches: open.stretches,
    });
  }

  /** The block's memory is held for it. */
  #send(block: Block): void {
    const run = this.#sort(block).finally(() => {
      this.#blocks.release(block.bytes);
    });
    // A later block may fail while an earlier one is awaited; it is reported when its turn comes.
    run.catch(() => undefined);
    this.#onTheWay.push({ section: block.section, run });
  }

  async #storeNext(): Promise<void> {
    const next = this.#onTheWay.shift();
    if (next === undefined) return;
    const run = await next.run;
    this.#layout.count(next.section, run.kept);
    this.#store.add(run);
  }
}
