/**
 * A channel version as one or three numbers of 32 bits. JS counts up from 1; Python prints the count with 32 digits and
 * a random fraction behind. Easy to get wrong: the text must come back exactly, so whatever has another form is not
 * packed. *Source*: `get_next_version` of langgraph-checkpoint 4 (`f"{next_v:032}.{next_h:016}"`).
 */
import { notPrinted } from './json-scan.ts';

/** Marks the first of three words: the count in its lower 24 bits, the number of digits above it. */
const pythonBit = 0x40000000;
const mostDigits = 18;

/** Packs versions one at a time; `words` counts what the last one took. */
export class VersionPacker {
  words = 0;

  /** Writes the version at `at` to `out[to…]`; returns where it ends in `bytes`, or {@link notPrinted}. */
  pack(bytes: Uint8Array, at: number, limit: number, out: Uint32Array, to: number): number {
    return bytes[at] === 0x22
      ? this.#python(bytes, at + 1, limit, out, to)
      : this.#js(bytes, at, limit, out, to);
  }

  #js(bytes: Uint8Array, at: number, limit: number, out: Uint32Array, to: number): number {
    let value = 0;
    let next = at;
    while (next < limit && isDigit(bytes[next])) {
      value = value * 10 + (bytes[next] ?? 0) - 0x30;
      next += 1;
    }
    // A leading zero, a fraction or an exponent is no count.
    if (next === at || next - at > 9 || (bytes[at] === 0x30 && next - at > 1)) return notPrinted;
    const after = bytes[next];
    if (after !== 0x2c && after !== 0x7d) return notPrinted;
    out[to] = value;
    this.words = 1;
    return next;
  }

  #python(bytes: Uint8Array, at: number, limit: number, out: Uint32Array, to: number): number {
    const dot = at + 32;
    if (dot + 3 > limit || bytes[dot] !== 0x2e || bytes[dot + 1] !== 0x30 || bytes[dot + 2] !== 0x2e) {
      return notPrinted;
    }
    let count = 0;
    for (let next = at; next < dot; next += 1) {
      if (!isDigit(bytes[next])) return notPrinted;
      count = count * 10 + (bytes[next] ?? 0) - 0x30;
    }
    let high = 0;
    let low = 0;
    let digits = 0;
    let next = dot + 3;
    for (; next < limit && isDigit(bytes[next]); next += 1, digits += 1) {
      const digit = (bytes[next] ?? 0) - 0x30;
      if (digits < 9) high = high * 10 + digit;
      else low = low * 10 + digit;
      if (digits === mostDigits) return notPrinted;
    }
    if (digits === 0 || bytes[next] !== 0x22 || count > 0xffffff) return notPrinted;
    out[to] = pythonBit | (digits << 24) | count;
    out[to + 1] = high;
    out[to + 2] = low;
    this.words = 3;
    return next + 1;
  }
}

function isDigit(byte: number | undefined): boolean {
  return byte !== undefined && byte >= 0x30 && byte <= 0x39;
}

interface PythonVersion {
  readonly first: number;
  readonly low: number;
  readonly text: string;
}

/** Reads versions back; a text is made once for all rows that repeat it. *Cost*: memory per distinct version. */
export class VersionUnpacker {
  /** Words that the last version took. */
  words = 0;
  readonly #known = new Map<number, PythonVersion[]>();

  /** The version at `words[at…]`. */
  read(words: Uint32Array, at: number): number | string {
    const first = words[at] ?? 0;
    if (first < pythonBit) {
      this.words = 1;
      return first;
    }
    this.words = 3;
    const high = words[at + 1] ?? 0;
    const low = words[at + 2] ?? 0;
    const known = this.#known.get(high);
    if (known !== undefined) {
      for (const version of known) if (version.first === first && version.low === low) return version.text;
    }
    const text = textOf(first, high, low);
    if (known === undefined) this.#known.set(high, [{ first, low, text }]);
    else known.push({ first, low, text });
    return text;
  }

  /** Forgets texts; to be called where the rows that repeat them end. */
  forget(): void {
    this.#known.clear();
  }
}

function textOf(first: number, high: number, low: number): string {
  const digits = (first >>> 24) & 0x1f;
  const fraction =
    digits <= 9
      ? String(high).padStart(digits, '0')
      : String(high).padStart(9, '0') + String(low).padStart(digits - 9, '0');
  return `${String(first & 0xffffff).padStart(32, '0')}.0.${fraction}`;
}
