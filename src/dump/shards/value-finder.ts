/**
 * Where in a line of blobs or writes is the value, and is it left out? Easy to get wrong: the value is found from both
 * ends without looking at it, which is right only in a line that has as many fields as the table has columns.
 */
import { copyField } from '../copy-text.ts';
import type { TableLayout } from '../table-layout.ts';
import { wantsValue } from '../wanted-values.ts';
import { fieldEnd } from './field-end.ts';

const tab = 0x09;

/** An empty bytea in COPY's text form has so many bytes; a NULL fewer. Neither has anything to leave out. */
const emptyValueBytes = 3;

/** Finds values in the lines of `bytes`. */
export class ValueFinder {
  readonly #bytes: Buffer;
  readonly #layout: TableLayout;
  readonly #wanted = new Map<string, boolean>();
  /** Where the value that was found begins and ends. */
  from = 0;
  to = 0;

  constructor(bytes: Buffer, layout: TableLayout) {
    this.#bytes = bytes;
    this.#layout = layout;
  }

  /** Whether the value of the line `[start, end)` can be left out. */
  find(start: number, end: number): boolean {
    const bytes = this.#bytes;
    const { at, width } = this.#layout;
    // LangGraph creates the value behind the channel; a table that has it otherwise is read whole.
    if (at.channel > at.blob) return false;
    let from = start;
    let isWanted = true;
    for (let position = 0; position < at.blob; position += 1) {
      const next = fieldEnd(bytes, from, end);
      if (next === end) return false;
      if (position === at.channel) isWanted = this.#isWanted(from, next);
      from = next + 1;
    }
    if (isWanted) return false;
    let to = end;
    for (let behind = width - 1 - at.blob; behind > 0; behind -= 1) {
      do to -= 1;
      while (to >= from && bytes[to] !== tab);
      if (to < from) return false;
    }
    if (to - from <= emptyValueBytes) return false;
    // A tab inside the value means a field too many: the line stays whole and is refused when it is decoded.
    const inside = bytes.indexOf(tab, from);
    if (inside >= 0 && inside < to) return false;
    this.from = from;
    this.to = to;
    return true;
  }

  #isWanted(start: number, end: number): boolean {
    const spelled = this.#bytes.toString('latin1', start, end);
    let answer = this.#wanted.get(spelled);
    if (answer === undefined) {
      answer = wantsValue(copyField(this.#bytes, start, end)?.toString('utf8') ?? '');
      this.#wanted.set(spelled, answer);
    }
    return answer;
  }
}
