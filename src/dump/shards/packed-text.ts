/**
 * Reads numbers and texts of packed rows, one behind the other. Easy to get wrong: rows of one thread repeat its id,
 * and name as parent what another row just named as its own id, so such texts are one string and not made again.
 */
import { text } from '../text-field.ts';
import { textWords } from './pack-text.ts';

/** How many ids are remembered: runs of one thread that are interleaved are few. */
const remembered = 4;

interface KnownText {
  readonly at: number;
  readonly text: string;
}

/** Reads the words of packed rows. */
export class PackedText {
  words: Uint32Array = new Uint32Array(0);
  #bytes: Buffer = Buffer.alloc(0);
  /** The next word. */
  at = 0;
  #thread: KnownText | null = null;
  readonly #ids: KnownText[] = [];
  #turn = 0;

  /** Takes the memory that packed rows lie in; what is remembered must be in it at the same words. */
  load(words: Uint32Array): void {
    if (this.words === words) return;
    this.words = words;
    this.#bytes = Buffer.from(words.buffer, words.byteOffset, words.byteLength);
  }

  /** Forgets what rows of one thread share. */
  forget(): void {
    this.#thread = null;
    this.#ids.length = 0;
    this.#turn = 0;
  }

  number(): number {
    const value = this.words[this.at] ?? 0;
    this.at += 1;
    return value;
  }

  /** The next text's bytes, which share memory with the rows. */
  bytes(): Buffer {
    const length = this.words[this.at] ?? 0;
    const start = 4 * (this.at + 1);
    this.at += textWords(length);
    return this.#bytes.subarray(start, start + length);
  }

  /** The next text. Packed texts were checked to be UTF-8. */
  text(): string {
    const length = this.words[this.at] ?? 0;
    if (length === 0) {
      this.at += 1;
      return '';
    }
    if (this.#isAscii(this.at, length)) {
      const start = 4 * (this.at + 1);
      this.at += textWords(length);
      return this.#bytes.toString('latin1', start, start + length);
    }
    return text('of text', this.bytes());
  }

  /** The next text, the same string as the last one that was read so, if it is equal. */
  repeated(): string {
    const known = this.#thread;
    if (known !== null && this.#isAgain(known.at)) {
      this.at += textWords(this.words[this.at] ?? 0);
      return known.text;
    }
    const { at } = this;
    const value = this.text();
    this.#thread = { at, text: value };
    return value;
  }

  /** The next text, the same string as a remembered one if it is equal; null for an empty one. */
  recent(): string | null {
    const { at } = this;
    if (this.words[at] === 0) {
      this.at += 1;
      return null;
    }
    for (const known of this.#ids) {
      if (!this.#isAgain(known.at)) continue;
      this.at += textWords(this.words[at] ?? 0);
      return known.text;
    }
    const value = this.text();
    this.#remember(at, value);
    return value;
  }

  /** The next text, to be remembered. */
  memorable(): string {
    const { at } = this;
    const value = this.text();
    this.#remember(at, value);
    return value;
  }

  #remember(at: number, value: string): void {
    this.#ids[this.#turn] = { at, text: value };
    this.#turn = (this.#turn + 1) % remembered;
  }

  #isAgain(known: number): boolean {
    const length = this.words[this.at] ?? 0;
    const words = textWords(length);
    for (let word = 0; word < words; word += 1) {
      if (this.words[known + word] !== this.words[this.at + word]) return false;
    }
    return true;
  }

  #isAscii(at: number, length: number): boolean {
    const end = at + textWords(length);
    let bits = 0;
    for (let word = at + 1; word < end; word += 1) bits |= this.words[word] ?? 0;
    return (bits & 0x80808080) === 0;
  }
}
