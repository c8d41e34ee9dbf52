/**
 * A row of checkpoints as numbers, straight from its line: names by their number, versions as what they count, in a
 * third of the bytes of the text. Easy to get wrong: whatever is not exactly as LangGraph wrote it and Postgres printed
 * it must be left alone, to be read as text with the same result and better messages.
 *
 *      thread · namespace · id · parent (texts; no parent: length 0)
 *      sections, in the order of the text, each behind its tag, then 0
 *      metadata (text)
 */
import type { TableLayout } from '../table-layout.ts';
import { wantsValue } from '../wanted-values.ts';
import { fieldEnd } from './field-end.ts';
import { notPrinted, plainStringEnd, valueEnd } from './json-scan.ts';
import { contexts, type NameDictionary } from './name-dictionary.ts';
import { packText } from './pack-text.ts';
import { VersionPacker } from './pack-version.ts';

/**
 * Tags of sections. `format`: a number · `timestamp`: a text · `seen`: nodes, each (name, channels, (channel,
 * version)…) · `channels`: (channel, version)… · `inline`: (channel, text)…; the latter begin with how many.
 */
export const tags = { end: 0, format: 1, timestamp: 2, seen: 3, channels: 4, inline: 5 } as const;

const tab = 0x09;
const backslash = 0x5c;
const letterN = 0x4e;
const quote = 0x22;
const open = 0x7b;
const close = 0x7d;
const comma = 0x2c;
const colon = 0x3a;
const space = 0x20;

/** Longer metadata is kept as text with its row. */
const longestMetadata = 64 << 10;

const sections: readonly { readonly tag: number; readonly key: Buffer }[] = [
  { tag: tags.format, key: Buffer.from('"v"') },
  { tag: tags.timestamp, key: Buffer.from('"ts"') },
  { tag: tags.seen, key: Buffer.from('"versions_seen"') },
  { tag: tags.channels, key: Buffer.from('"channel_versions"') },
  { tag: tags.inline, key: Buffer.from('"channel_values"') },
];

/** Packs the rows of one table. */
export class CheckpointPacker {
  readonly #names: NameDictionary;
  readonly #versions = new VersionPacker();
  readonly #wanted = new Map<number, boolean>();

  constructor(names: NameDictionary) {
    this.#names = names;
  }

  /** True for tables whose rows can be packed at all: LangGraph's own columns in LangGraph's order. */
  static fits({ kind, isShallow, at, width }: TableLayout): boolean {
    if (kind !== 'checkpoints' || isShallow) return false;
    const last = width - 1;
    return (
      at.thread_id === 0 &&
      at.checkpoint_ns === 1 &&
      at.checkpoint_id === 2 &&
      at.parent_checkpoint_id === 3 &&
      (at.checkpoint === 4 || at.checkpoint === 5) &&
      at.metadata === at.checkpoint + 1 &&
      at.metadata === last
    );
  }

  /**
   * Packs the line `bytes[start, end)`, whose checkpoint is column `checkpointAt`, into `out[to…]`, which has room for
   * as many words as the line has bytes. Returns the words taken; {@link notPrinted} when the line is to stay text.
   */
  pack(
    bytes: Buffer,
    start: number,
    end: number,
    checkpointAt: number,
    out: Uint32Array,
    to: number,
  ): number {
    let word = to;
    let at = start;
    for (let field = 0; field < 3; field += 1) {
      const next = plainFieldEnd(bytes, at, end);
      if (next < 0) return notPrinted;
      word = packText(bytes, at, next, out, word);
      at = next + 1;
    }
    if (bytes[at] === backslash && bytes[at + 1] === letterN && bytes[at + 2] === tab) {
      word = none(out, word);
      at += 3;
    } else {
      const next = plainFieldEnd(bytes, at, end);
      if (next <= at) return notPrinted;
      word = packText(bytes, at, next, out, word);
      at = next + 1;
    }
    if (checkpointAt === 5) {
      const next = fieldEnd(bytes, at, end);
      if (next === end) return notPrinted;
      at = next + 1;
    }
    word = this.#checkpoint(bytes, at, end, out, word);
    if (word < 0) return notPrinted;
    const metadataStart = this.#behind + 1;
    if (bytes[this.#behind] !== tab || bytes[metadataStart] !== open) return notPrinted;
    if (end - metadataStart > longestMetadata || fieldEnd(bytes, metadataStart, end) !== end)
      return notPrinted;
    return packText(bytes, metadataStart, end, out, word) - to;
  }

  /** Where the object that was packed last ends. */
  #behind = 0;

  /** Writes the sections; returns the next word. */
  #checkpoint(bytes: Buffer, start: number, end: number, out: Uint32Array, firstWord: number): number {
    if (bytes[start] !== open) return notPrinted;
    let word = firstWord;
    let at = start + 1;
    let seen = 0;
    while (bytes[at] !== close) {
      const keyEnd = plainKeyEnd(bytes, at, end);
      if (keyEnd < 0) return notPrinted;
      const tag = tagOf(bytes, at, keyEnd);
      const valueStart = keyEnd + 2;
      if (tag === tags.end) this.#behind = valueEnd(bytes, valueStart, end);
      else {
        // Of a key given twice, the last counts; Postgres never prints one twice.
        if ((seen & (1 << tag)) !== 0) return notPrinted;
        seen |= 1 << tag;
        out[word] = tag;
        word = this.#section(tag, bytes, valueStart, end, out, word + 1);
        if (word < 0) return notPrinted;
      }
      if (this.#behind < 0) return notPrinted;
      at = this.#behind;
      if (bytes[at] === close) break;
      if (bytes[at] !== comma || bytes[at + 1] !== space || bytes[at + 2] !== quote) return notPrinted;
      at += 2;
    }
    this.#behind = at + 1;
    return none(out, word);
  }

  #section(tag: number, bytes: Buffer, start: number, end: number, out: Uint32Array, word: number): number {
    if (tag === tags.seen) return this.#seen(bytes, start, end, out, word);
    if (tag === tags.channels) return this.#channels(bytes, start, end, out, word, contexts.version);
    if (tag === tags.inline) return this.#inline(bytes, start, end, out, word);
    if (tag === tags.format) {
      const digit = bytes[start] ?? 0;
      const after = bytes[start + 1];
      if (digit < 0x31 || digit > 0x39 || (after !== comma && after !== close)) return notPrinted;
      out[word] = digit - 0x30;
      this.#behind = start + 1;
      return word + 1;
    }
    const stop = bytes[start] === quote ? plainStringEnd(bytes, start, end) : notPrinted;
    if (stop < 0) return notPrinted;
    this.#behind = stop;
    return packText(bytes, start + 1, stop - 1, out, word);
  }

  /** Nodes and what they saw. Returns the next word; {@link notPrinted} for anything unusual. */
  #seen(bytes: Buffer, start: number, end: number, out: Uint32Array, countWord: number): number {
    if (bytes[start] !== open) return notPrinted;
    let word = countWord + 1;
    let count = 0;
    let at = start + 1;
    while (bytes[at] !== close) {
      const name = this.#names.read(bytes, at, end, contexts.node);
      const keyEnd = this.#names.end;
      if (name < 0 || bytes[keyEnd] !== colon || bytes[keyEnd + 1] !== space) return notPrinted;
      out[word] = name;
      word = this.#channels(bytes, keyEnd + 2, end, out, word + 1, contexts.seen);
      if (word < 0) return notPrinted;
      count += 1;
      at = nextEntry(bytes, this.#behind);
      if (at < 0) return notPrinted;
    }
    this.#behind = at + 1;
    out[countWord] = count;
    return word;
  }

  #channels(
    bytes: Buffer,
    start: number,
    end: number,
    out: Uint32Array,
    countWord: number,
    context: number,
  ): number {
    if (bytes[start] !== open) return notPrinted;
    let word = countWord + 1;
    let count = 0;
    let at = start + 1;
    while (bytes[at] !== close) {
      const name = this.#names.read(bytes, at, end, context);
      const keyEnd = this.#names.end;
      if (name < 0 || bytes[keyEnd] !== colon || bytes[keyEnd + 1] !== space) return notPrinted;
      out[word] = name;
      at = this.#versions.pack(bytes, keyEnd + 2, end, out, word + 1);
      if (at < 0) return notPrinted;
      word += 1 + this.#versions.words;
      count += 1;
      at = nextEntry(bytes, at);
      if (at < 0) return notPrinted;
    }
    this.#behind = at + 1;
    out[countWord] = count;
    return word;
  }

  /** Which channels have a value in the row; the value itself only where the analysis reads it. */
  #inline(bytes: Buffer, start: number, end: number, out: Uint32Array, countWord: number): number {
    if (bytes[start] !== open) return notPrinted;
    let word = countWord + 1;
    let count = 0;
    let at = start + 1;
    while (bytes[at] !== close) {
      const name = this.#names.read(bytes, at, end, contexts.inline);
      const keyEnd = this.#names.end;
      if (name < 0 || bytes[keyEnd] !== colon || bytes[keyEnd + 1] !== space) return notPrinted;
      const valueStart = keyEnd + 2;
      const valueStop = valueEnd(bytes, valueStart, end);
      if (valueStop < 0) return notPrinted;
      out[word] = name;
      const isNull = bytes[valueStart] === 0x6e;
      word =
        isNull || !this.#isWanted(name)
          ? none(out, word + 1)
          : packText(bytes, valueStart, valueStop, out, word + 1);
      count += 1;
      at = nextEntry(bytes, valueStop);
      if (at < 0) return notPrinted;
    }
    this.#behind = at + 1;
    out[countWord] = count;
    return word;
  }

  #isWanted(name: number): boolean {
    let wanted = this.#wanted.get(name);
    if (wanted === undefined) {
      wanted = wantsValue(this.#names.names[name] ?? '');
      this.#wanted.set(name, wanted);
    }
    return wanted;
  }
}

function none(out: Uint32Array, word: number): number {
  out[word] = 0;
  return word + 1;
}

/** The end of a key that has no escape in it and is followed as Postgres prints it. */
function plainKeyEnd(bytes: Buffer, at: number, end: number): number {
  if (bytes[at] !== quote) return notPrinted;
  const next = plainStringEnd(bytes, at, end);
  return next >= 0 && bytes[next] === colon && bytes[next + 1] === space ? next : notPrinted;
}

/** The end of a field without any escape in it. */
function plainFieldEnd(bytes: Buffer, start: number, end: number): number {
  for (let at = start; at < end; at += 1) {
    const byte = bytes[at];
    if (byte === tab) return at;
    if (byte === backslash) return notPrinted;
  }
  return notPrinted;
}

/** Where the next entry of an object begins, or its closing brace is. */
function nextEntry(bytes: Buffer, at: number): number {
  if (bytes[at] === close) return at;
  return bytes[at] === comma && bytes[at + 1] === space && bytes[at + 2] === quote ? at + 2 : notPrinted;
}

function tagOf(bytes: Buffer, start: number, end: number): number {
  for (const { tag, key } of sections) {
    if (key.length !== end - start) continue;
    let same = 1;
    while (same < key.length && bytes[start + same] === key[same]) same += 1;
    if (same === key.length) return tag;
  }
  return tags.end;
}
