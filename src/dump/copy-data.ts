/**
 * The data of one COPY section: whole lines are handed on, a line that is too long to be held is stepped over. Easy to
 * get wrong: one value may have nearly a gigabyte and the bytes of it are not read, so only what stands before and
 * behind the value is kept; but a row of checkpoints is read whole, however long.
 */
import { isCopyEnd } from './copy-text.ts';
import { dumpAgain, type DumpFault } from './dump-place.ts';
import type { DumpSection } from './dump-tables.ts';
import type { RowSink } from './row-sink.ts';

const lineFeed = 0x0a;
const carriageReturn = 0x0d;
const tab = 0x09;

/** A line without an end after so many bytes is taken for a long one; never fewer than the `\.` of the end has. */
const longLineBytes = 16 << 20;

/** A row of checkpoints is held whole up to this size, beyond which no text of JavaScript can be. */
const longestRowBytes = 512 << 20;

/** A fault of the text, to be located by whoever reads it. */
export class CopyFault extends Error {
  override readonly name = 'CopyFault';
  readonly fault: DumpFault;
  constructor(fault: DumpFault) {
    super(fault.happened);
    this.fault = fault;
  }
}

/** Reads one section. */
export class CopyData {
  readonly section: DumpSection;
  readonly #sink: RowSink;
  /** Of the first byte that was not taken; kept up to date by {@link take}. */
  byte: number;
  line: number;
  /** The line `\.` was met. */
  isOver = false;
  #long: LongLine | null = null;
  /** Where lines end; used again for every call. */
  #ends = new Uint32Array(1_024);
  readonly #longLineBytes: number;

  /** `byte` and `line`: where the data begins. `longBytes`: see {@link longLineBytes}, smaller for tests, 4 at least. */
  constructor(section: DumpSection, sink: RowSink, byte: number, line: number, longBytes = longLineBytes) {
    this.section = section;
    this.#sink = sink;
    this.byte = byte;
    this.line = line;
    this.#longLineBytes = longBytes;
  }

  /** Takes what is complete of `bytes` from `start` on; returns where that ends. *Fails* with {@link CopyFault}. */
  take(bytes: Buffer, start: number, isLast: boolean): number {
    if (this.#long !== null) return this.#further(this.#long, bytes, start);
    const from = { byte: this.byte, line: this.line, row: this.section.rows + 1 };
    let count = 0;
    let at = start;
    let rowsEnd = start;
    while (at < bytes.length) {
      const found = bytes.indexOf(lineFeed, at);
      // A last line without a line break is whole only if it ends the section.
      if (found < 0 && !(isLast && isCopyEnd(bytes, at, bytes.length))) break;
      const next = found < 0 ? bytes.length : found + 1;
      const length = next - at;
      if (length <= 4 && isEnd(bytes, at, next)) {
        this.isOver = true;
        at = next;
        break;
      }
      if (count === this.#ends.length) this.#ends = grown(this.#ends);
      this.#ends[count] = next;
      count += 1;
      at = next;
      rowsEnd = next;
    }
    if (rowsEnd > start && this.section.layout !== null) {
      this.#sink.lines(this.section, bytes, start, this.#ends.subarray(0, count), from);
    }
    this.section.rows += count;
    this.line += count + (this.isOver ? 1 : 0);
    this.byte += at - start;
    if (!this.isOver && bytes.length - at > this.#longLineBytes) return this.#startLong(bytes, at, isLast);
    return at;
  }

  #startLong(bytes: Buffer, at: number, isLast: boolean): number {
    const { layout } = this.section;
    if (layout !== null && (isLast || layout.kind === 'checkpoints')) {
      if (bytes.length - at > longestRowBytes) {
        throw new CopyFault({
          happened: 'a row of checkpoints is longer than half a gigabyte',
          remedy: dumpAgain,
        });
      }
      return at;
    }
    const { blob: value = -1 } = layout?.at ?? {};
    this.#long = new LongLine(this.byte, layout === null ? null : { before: value, width: layout.width });
    return this.#further(this.#long, bytes, at);
  }

  #further(long: LongLine, bytes: Buffer, start: number): number {
    const end = long.take(bytes, start);
    this.byte += end - start;
    if (!long.isComplete) return end;
    this.#long = null;
    this.section.rows += 1;
    const place = { byte: long.byte, line: this.line, row: this.section.rows };
    this.line += 1;
    const line = long.line;
    if (line !== null) this.#sink.longLine(this.section, line, place);
    return end;
  }
}

function grown(ends: Uint32Array): Uint32Array<ArrayBuffer> {
  const larger = new Uint32Array(2 * ends.length);
  larger.set(ends);
  return larger;
}

function isEnd(bytes: Buffer, at: number, next: number): boolean {
  let end = bytes[next - 1] === lineFeed ? next - 1 : next;
  if (end > at && bytes[end - 1] === carriageReturn) end -= 1;
  return isCopyEnd(bytes, at, end);
}

/** A line of which the value is thrown away as it comes. */
class LongLine {
  readonly byte: number;
  readonly #fields: { readonly before: number; readonly width: number } | null;
  readonly #kept: Buffer[] = [];
  #position = 0;
  isComplete = false;

  /** `fields`: how many fields stand before the value, and in all; null when nothing of the line is read. */
  constructor(byte: number, fields: { readonly before: number; readonly width: number } | null) {
    this.byte = byte;
    this.#fields = fields;
  }

  /** The line with an empty value; null when nothing of it is read. */
  get line(): Buffer | null {
    return this.#fields === null ? null : Buffer.concat(this.#kept);
  }

  take(bytes: Buffer, start: number): number {
    const found = bytes.indexOf(lineFeed, start);
    const end = found < 0 ? bytes.length : found + 1;
    if (this.#fields !== null) this.#keep(bytes, start, end, this.#fields.before);
    this.isComplete = found >= 0;
    return end;
  }

  #keep(bytes: Buffer, start: number, end: number, before: number): void {
    for (let at = start; at < end;) {
      const found = bytes.indexOf(tab, at);
      const next = found < 0 || found >= end ? end : found + 1;
      if (this.#position !== before) this.#kept.push(Buffer.from(bytes.subarray(at, next)));
      if (next === end && !(found >= 0 && found < end)) {
        if (this.#position === before && bytes[end - 1] === lineFeed) this.#kept.push(Buffer.from('\n'));
        return;
      }
      this.#position += 1;
      if (this.#position === before) this.#kept.push(emptyValue);
      else if (this.#position === before + 1) this.#kept.push(Buffer.from('\t'));
      at = next;
    }
  }
}

/** An empty bytea in COPY's text form. */
const emptyValue = Buffer.from('\\\\x');
