/**
 * Packed rows of one thread, each whole again, one behind the other. Easy to get wrong: a row that was written as a
 * difference has the last row of the same table as its base, so none may be left out.
 */
import { formAt, forms, headerWords, recordWords } from './record.ts';
import { deltaLength, unpackDelta } from './row-delta.ts';

/** Makes rows whole. *Cost*: memory for the packed rows of one thread. */
export class WholeRows {
  words: Uint32Array = new Uint32Array(1 << 10);
  #used = 0;
  /** Section → where its last row begins. */
  readonly #last: number[] = [];

  /** The row of the packed record at `at`; returns where it begins in {@link words}, which may be another array then. */
  row(records: Uint32Array, at: number, section: number): number {
    const body = at + headerWords;
    const isDelta = formAt(records, at) === forms.delta;
    const length = isDelta ? deltaLength(records, body) : recordWords(records, at) - headerWords;
    const to = this.#used;
    this.#room(to + length);
    const { words } = this;
    if (isDelta) unpackDelta(records, body, words, this.last(section), to);
    else for (let word = 0; word < length; word += 1) words[to + word] = records[body + word] ?? 0;
    this.#last[section] = to;
    this.#used = to + length;
    return to;
  }

  /** Where the last row of a section begins. */
  last(section: number): number {
    return this.#last[section] ?? 0;
  }

  forget(): void {
    this.#used = 0;
  }

  #room(words: number): void {
    if (words <= this.words.length) return;
    const larger = new Uint32Array(Math.max(words, 2 * this.words.length));
    larger.set(this.words);
    this.words = larger;
  }
}
