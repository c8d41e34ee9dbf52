/**
 * The lines of a region one after the other: where each begins and ends, whose it is, where it stood in the text. Easy
 * to get wrong: a dump from Windows ends its lines with a carriage return too, which is not the last field's.
 */
import { isUtf8 } from 'node:buffer';
import { copyField } from '../copy-text.ts';
import type { Region, Stretch } from './block.ts';
import { fieldEnd } from './field-end.ts';
import { CheckpointPacker } from './pack-checkpoint.ts';
import { RowPacker } from './pack-row.ts';
import { ValueFinder } from './value-finder.ts';

const lineFeed = 0x0a;
const carriageReturn = 0x0d;

/** Walks the lines of a region. */
export class RegionRows {
  readonly region: Region;
  readonly bytes: Buffer;
  /** Whether the table is LangGraph's own and the bytes are UTF-8. */
  readonly mayPack: boolean;
  /** Null for checkpoints, which have no value to leave out. */
  readonly values: ValueFinder | null;
  start = 0;
  end = 0;
  threadStart = 0;
  threadEnd = 0;
  stretch: Stretch = noStretch;
  #index = -1;
  #next: number;
  #turn = 0;
  #stretchStart = 0;

  constructor(memory: ArrayBuffer, region: Region) {
    const { ends, start, layout } = region;
    const limit = ends.at(-1) ?? start;
    this.region = region;
    this.bytes = Buffer.from(memory, 0, limit);
    this.mayPack =
      (CheckpointPacker.fits(layout) || RowPacker.fits(layout)) && isUtf8(this.bytes.subarray(start, limit));
    this.values = layout.kind === 'checkpoints' ? null : new ValueFinder(this.bytes, layout);
    this.#next = start;
  }

  next(): boolean {
    const { ends, stretches, layout } = this.region;
    this.#index += 1;
    if (this.#index >= ends.length) return false;
    const start = this.#next;
    const next = ends[this.#index] ?? 0;
    let end = this.bytes[next - 1] === lineFeed ? next - 1 : next;
    if (end > start && this.bytes[end - 1] === carriageReturn) end -= 1;
    this.#next = next;
    this.start = start;
    this.end = end;
    if (this.#index === 0) {
      this.stretch = stretches[0] ?? noStretch;
      this.#stretchStart = start;
    } else {
      const coming = stretches[this.#turn + 1];
      if (coming?.first === this.#index) {
        this.#turn += 1;
        this.stretch = coming;
        this.#stretchStart = start;
      }
    }
    this.threadStart = fieldStart(this.bytes, start, end, layout.at.thread_id);
    this.threadEnd = fieldEnd(this.bytes, this.threadStart, end);
    return true;
  }

  get byte(): number {
    return this.stretch.byte + this.start - this.#stretchStart;
  }

  get line(): number {
    return this.stretch.line + this.#index - this.stretch.first;
  }

  get row(): number {
    return this.stretch.row + this.#index - this.stretch.first;
  }

  isWanted(threads: ReadonlySet<string> | null): boolean {
    if (threads === null) return true;
    const id = copyField(this.bytes, this.threadStart, this.threadEnd);
    return id !== null && threads.has(id.toString('utf8'));
  }
}

const noStretch: Stretch = { first: 0, byte: 0, line: 0, row: 0, isOmitted: false };

function fieldStart(bytes: Buffer, start: number, end: number, position: number): number {
  let at = start;
  for (let passed = 0; passed < position; passed += 1) {
    const fieldEndAt = fieldEnd(bytes, at, end);
    if (fieldEndAt === end) return end;
    at = fieldEndAt + 1;
  }
  return at;
}
