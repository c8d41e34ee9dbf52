/**
 * Names of nodes and channels as small numbers: a graph has a few dozen, and every row repeats them. Easy to get wrong:
 * a name is compared byte by byte, because two names may share a hash; and hostile data may hold any number of names.
 */
import { isUtf8 } from 'node:buffer';
import { notPrinted, plainStringEnd } from './json-scan.ts';

/** More names than this are no graph; rows with further ones are kept as text. */
const mostNames = 4_096;

const quote = 0x22;

/** Where a name stands: what follows a name depends on it. */
export const contexts = { node: 0, seen: 1, version: 2, inline: 3 } as const;
const contextCount = 4;

/** Gives numbers out; one dictionary serves all rows that one thread of the process packs. */
export class NameDictionary {
  /** By number. */
  readonly names: string[] = [];
  readonly #spelled: Buffer[] = [];
  /** Hash → numbers of the names that have it. */
  readonly #numbers = new Map<number, number[]>();

  /** Context and number of a name → number of the name that came behind it last. */
  readonly #followers: number[] = [];
  #followed = 0;
  /** Behind the closing quote of the name that was read last. */
  end = 0;

  /**
   * The number of the name whose opening quote is at `at`, {@link end} then behind its closing one; {@link notPrinted}
   * when it has an escape or no room. Rows repeat names in one order, so the name that came here last is tried first.
   */
  read(bytes: Buffer, at: number, limit: number, context: number): number {
    if (bytes[at] !== quote) return notPrinted;
    const place = contextCount * this.#followed + context;
    const guess = this.#followers[place];
    if (guess !== undefined) {
      const name = this.#spelled[guess] ?? noName;
      const { length } = name;
      let same = 0;
      while (same < length && name[same] === bytes[at + 1 + same]) same += 1;
      if (same === length && bytes[at + 1 + length] === quote) {
        this.end = at + length + 2;
        this.#followed = guess;
        return guess;
      }
    }
    const end = plainStringEnd(bytes, at, limit);
    if (end < 0) return notPrinted;
    const number = this.numberOf(bytes, at + 1, end - 1);
    if (number < 0) return notPrinted;
    this.#followers[place] = number;
    this.#followed = number;
    this.end = end;
    return number;
  }

  /** The number of the name `bytes[start, end)`; -1 when there is no room for it or it is not UTF-8. */
  numberOf(bytes: Buffer, start: number, end: number): number {
    let hash = 0x811c9dc5;
    for (let at = start; at < end; at += 1) hash = Math.imul(hash ^ (bytes[at] ?? 0), 0x01000193);
    const known = this.#numbers.get(hash);
    if (known !== undefined) {
      for (const number of known) if (this.#is(number, bytes, start, end)) return number;
    }
    return this.#add(hash, known, Buffer.from(bytes.subarray(start, end)));
  }

  #is(number: number, bytes: Buffer, start: number, end: number): boolean {
    const name = this.#spelled[number];
    if (name?.length !== end - start) return false;
    for (let at = 0; at < name.length; at += 1) if (name[at] !== bytes[start + at]) return false;
    return true;
  }

  #add(hash: number, known: number[] | undefined, spelled: Buffer): number {
    if (this.names.length === mostNames || !isUtf8(spelled)) return -1;
    const number = this.names.length;
    this.names.push(spelled.toString('utf8'));
    this.#spelled.push(spelled);
    if (known === undefined) this.#numbers.set(hash, [number]);
    else known.push(number);
    return number;
  }
}

const noName = Buffer.alloc(0);
