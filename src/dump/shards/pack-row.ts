/**
 * A row of blobs or writes as numbers, straight from its line; its value only where it is kept. Easy to get wrong:
 * a line that has not exactly the fields of LangGraph's own table stays text, to be refused with its place.
 *
 *      blob   thread · namespace · channel · version · type · value
 *      write  thread · namespace · checkpoint · task · idx · channel · type · value · task path
 *
 * Channel, type and path are numbers of names, 1 more than the number (0: NULL); all others are texts.
 */
import { readColumns, type TableLayout } from '../table-layout.ts';
import { wantsValue } from '../wanted-values.ts';
import { notPrinted } from './json-scan.ts';
import type { NameDictionary } from './name-dictionary.ts';
import { packText } from './pack-text.ts';

/** How a value is kept. `text`: the raw field of COPY text follows. */
export const valueKinds = { null: 0, omitted: 1, text: 2 } as const;

const tab = 0x09;
const backslash = 0x5c;
const letterN = 0x4e;

/** Fields in front of the value, by what becomes of them: a text, or the number of a name. */
const fields = {
  blobs: ['text', 'text', 'name', 'text', 'name'],
  writes: ['text', 'text', 'text', 'text', 'text', 'name', 'name'],
} as const;
const channelAt = { blobs: 2, writes: 5 } as const;

/** Packs the rows of both tables. */
export class RowPacker {
  readonly #names: NameDictionary;
  readonly #wanted: (boolean | undefined)[] = [];
  /** Whether the value of the row that was packed last was left out. */
  isOmitted = false;

  constructor(names: NameDictionary) {
    this.#names = names;
  }

  /** True for tables with LangGraph's own columns in LangGraph's order. */
  static fits({ kind, isShallow, at, width }: TableLayout): boolean {
    if (kind === 'checkpoints' || isShallow) return false;
    const columns = readColumns[kind];
    // The path of a task came late.
    const least = kind === 'blobs' ? columns.length : columns.length - 1;
    if (width < least || width > columns.length) return false;
    return columns.every((column, index) => at[column] === (index < width ? index : -1));
  }

  /**
   * Packs the line `bytes[start, end)` into `out[to…]`, which has room for as many words as the line has bytes. A value
   * in a line of up to `keptValueBytes` is kept. Returns the words taken; {@link notPrinted} when the line stays text.
   */
  pack(
    bytes: Buffer,
    start: number,
    end: number,
    { kind, width }: TableLayout,
    keptValueBytes: number,
    out: Uint32Array,
    to: number,
  ): number {
    if (kind === 'checkpoints') return notPrinted;
    this.isOmitted = false;
    let word = to;
    let at = start;
    let channel = 0;
    const before = fields[kind];
    for (let field = 0; field < before.length; field += 1) {
      let next = at;
      while (next < end && bytes[next] !== tab && bytes[next] !== backslash) next += 1;
      if (bytes[next] === backslash) {
        // Only a type may be NULL; whatever else is escaped is read the careful way.
        if (field !== before.length - 1 || next !== at || bytes[at + 1] !== letterN) return notPrinted;
        next = at + 2;
        out[word] = 0;
        word += 1;
      } else if (before[field] === 'text') word = packText(bytes, at, next, out, word);
      else {
        const name = this.#names.numberOf(bytes, at, next);
        if (name < 0) return notPrinted;
        out[word] = name + 1;
        word += 1;
        if (field === channelAt[kind]) channel = name;
      }
      if (next >= end || bytes[next] !== tab) return notPrinted;
      at = next + 1;
    }
    const hasPath = kind === 'writes' && width === readColumns.writes.length;
    let valueEnd = end;
    if (hasPath) {
      valueEnd = end - 1;
      while (valueEnd > at && bytes[valueEnd] !== tab) valueEnd -= 1;
      if (bytes[valueEnd] !== tab) return notPrinted;
    }
    const inside = bytes.indexOf(tab, at);
    if (inside >= 0 && inside < valueEnd) return notPrinted;
    word = this.#value(
      bytes,
      at,
      valueEnd,
      end - start <= keptValueBytes || this.#isWanted(channel),
      out,
      word,
    );
    if (hasPath) word = this.#path(bytes, valueEnd + 1, end, out, word);
    return word < 0 ? notPrinted : word - to;
  }

  #value(bytes: Buffer, start: number, end: number, isKept: boolean, out: Uint32Array, word: number): number {
    if (end - start === 2 && bytes[start] === backslash && bytes[start + 1] === letterN) {
      out[word] = valueKinds.null;
      return word + 1;
    }
    // An empty value is as short as anything that could stand in for it.
    if (isKept || end - start <= 3) {
      out[word] = valueKinds.text;
      return packText(bytes, start, end, out, word + 1);
    }
    out[word] = valueKinds.omitted;
    this.isOmitted = true;
    return word + 1;
  }

  #path(bytes: Buffer, start: number, end: number, out: Uint32Array, word: number): number {
    if (end - start === 2 && bytes[start] === backslash && bytes[start + 1] === letterN) {
      out[word] = 0;
      return word + 1;
    }
    for (let at = start; at < end; at += 1) if (bytes[at] === backslash) return notPrinted;
    const name = this.#names.numberOf(bytes, start, end);
    if (name < 0) return notPrinted;
    out[word] = name + 1;
    return word + 1;
  }

  #isWanted(channel: number): boolean {
    return (this.#wanted[channel] ??= wantsValue(this.#names.names[channel] ?? ''));
  }
}
