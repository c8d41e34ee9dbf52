/**
 * Sorts the lines of a block by shard, keeping of each what an audit reads: checkpoints packed into numbers, other rows
 * without values that are not needed. Easy to get wrong: a stored value may have a hundred megabytes and is stepped
 * over, yet a line with a field too many must stay damaged.
 */
import type { Block, LineChoice, Run, SortedBlock } from './block.ts';
import { notPrinted } from './json-scan.ts';
import { NameDictionary } from './name-dictionary.ts';
import { CheckpointPacker } from './pack-checkpoint.ts';
import { RowPacker } from './pack-row.ts';
import { closeRecord, forms, hashAt, headerWords, openRecord, recordWords } from './record.ts';
import { RegionRows } from './region-rows.ts';
import { packDelta } from './row-delta.ts';
import { RowsBefore } from './rows-before.ts';
import { shardCount, shardOf, threadHash } from './thread-hash.ts';

/** What stands in for a value that is left out: an empty bytea in COPY's text form. */
const emptyValue = Buffer.from('\\\\x');

/** Sorts the blocks of one source on one thread of the process; blocks share its dictionary and working memory. */
export class BlockSorter {
  readonly #dictionary: number;
  readonly #names = new NameDictionary();
  readonly #checkpoints = new CheckpointPacker(this.#names);
  readonly #others = new RowPacker(this.#names);
  /** Names that runs have told. */
  #told = 0;
  /** Packed rows of the block whole, for the rows behind them. */
  #full = new Uint32Array(1 << 14);
  #fullUsed = 0;
  readonly #before = new RowsBefore();
  #words = new Uint32Array(1 << 14);
  #bytes = Buffer.from(this.#words.buffer);

  /** `dictionary`: tells the sorters of a source apart. */
  constructor(dictionary: number) {
    this.#dictionary = dictionary;
  }

  /** The block's rows as a run. *Cost*: one look at what is kept of a line, and two copies of it. */
  sort({ memory, regions }: Block, choice: LineChoice): SortedBlock {
    const counts = new Uint32Array(shardCount + 1);
    const kept: number[] = [];
    let used = 0;
    this.#fullUsed = 0;
    this.#before.clear();
    for (const region of regions) {
      const before = used;
      const rows = new RegionRows(memory, region);
      let count = 0;
      while (rows.next()) {
        if (!rows.isWanted(choice.threads)) continue;
        used = this.#keep(rows, choice, used, counts);
        count += 1;
      }
      kept.push(used === before ? 0 : count);
    }
    const first = this.#told;
    this.#told = this.#names.names.length;
    const names = this.#names.names.slice(first);
    return {
      run: { ...this.#sorted(used, counts), kept, dictionary: this.#dictionary, first, names },
      memory,
    };
  }

  /** Writes a row behind the `used` words; returns how many are used then. */
  #keep(rows: RegionRows, { keptValueBytes }: LineChoice, used: number, counts: Uint32Array): number {
    const { bytes, start, end, region, stretch } = rows;
    // A packed row never has more words than its line has bytes, and a short one not many more.
    this.#room(used + headerWords + 2 * (end - start) + 64);
    const words = this.#words;
    const hash = threadHash(bytes, rows.threadStart, rows.threadEnd);
    openRecord(words, used, hash, region.section, rows.byte, rows.line, rows.row);
    const body = used + headerWords;
    let bodyWords = notPrinted;
    if (rows.mayPack && !stretch.isOmitted) bodyWords = this.#pack(rows, keptValueBytes, hash, used);
    if (bodyWords < 0) {
      this.#before.forget(hash, region.section);
      const isCut = rows.values !== null && end - start > keptValueBytes && rows.values.find(start, end);
      const textBytes = isCut
        ? this.#cutLine(rows, body)
        : this.#line(bytes, start, end, 4 * body) - 4 * body;
      bodyWords = (textBytes + 3) >>> 2;
      const fill = 4 * bodyWords - textBytes;
      closeRecord(words, used, bodyWords, forms.text, fill, isCut || stretch.isOmitted, this.#dictionary);
    }
    const shard = shardOf(hash);
    const size = headerWords + bodyWords;
    counts[shard + 1] = (counts[shard + 1] ?? 0) + size;
    return used + size;
  }

  /** Completes the record at `used` with the packed row; returns the words of its body. */
  #pack(
    { bytes, start, end, region, values }: RegionRows,
    keptValueBytes: number,
    hash: number,
    used: number,
  ): number {
    const { layout, section } = region;
    const full = this.#fullRoom(end - start + 64);
    const at = this.#fullUsed;
    let length: number;
    let isOmitted = false;
    if (values === null) length = this.#checkpoints.pack(bytes, start, end, layout.at.checkpoint, full, at);
    else {
      length = this.#others.pack(bytes, start, end, layout, keptValueBytes, full, at);
      isOmitted = this.#others.isOmitted;
    }
    if (length < 0) return notPrinted;
    this.#fullUsed = at + length;
    const words = this.#words;
    const body = used + headerWords;
    const before = this.#before.replace(hash, section, at, length);
    if (before) {
      const { at: base, length: baseLength } = this.#before;
      const bodyWords = packDelta(full, at, length, base, baseLength, words, body);
      closeRecord(words, used, bodyWords, forms.delta, 0, isOmitted, this.#dictionary);
      return bodyWords;
    }
    for (let word = 0; word < length; word += 1) words[body + word] = full[at + word] ?? 0;
    closeRecord(words, used, length, forms.packed, 0, isOmitted, this.#dictionary);
    return length;
  }

  #fullRoom(words: number): Uint32Array {
    if (this.#fullUsed + words > this.#full.length) {
      const larger = new Uint32Array(Math.max(this.#fullUsed + words, 2 * this.#full.length));
      larger.set(this.#full);
      this.#full = larger;
    }
    return this.#full;
  }

  #cutLine({ bytes, start, end, values }: RegionRows, body: number): number {
    let to = this.#line(bytes, start, values?.from ?? end, 4 * body);
    to = this.#line(emptyValue, 0, emptyValue.length, to);
    return this.#line(bytes, values?.to ?? end, end, to) - 4 * body;
  }

  /** Copies bytes; returns where they end. Short pieces are not worth a call. */
  #line(bytes: Buffer, start: number, end: number, to: number): number {
    if (end - start > 256) this.#bytes.set(bytes.subarray(start, end), to);
    else for (let at = start; at < end; at += 1) this.#bytes[to + at - start] = bytes[at] ?? 0;
    return to + end - start;
  }

  #room(words: number): void {
    if (words <= this.#words.length) return;
    const larger = new Uint32Array(Math.max(words, 2 * this.#words.length));
    larger.set(this.#words);
    this.#words = larger;
    this.#bytes = Buffer.from(larger.buffer);
  }

  /** A counting sort of the records in the first `used` words; `offsets[s + 1]` comes as the words of shard `s`. */
  #sorted(used: number, offsets: Uint32Array): Pick<Run, 'rows' | 'offsets'> {
    for (let shard = 0; shard < shardCount; shard += 1) {
      offsets[shard + 1] = (offsets[shard] ?? 0) + (offsets[shard + 1] ?? 0);
    }
    const next = offsets.slice();
    const words = this.#words;
    const rows = new Uint32Array(used);
    for (let at = 0; at < used;) {
      const size = recordWords(words, at);
      const shard = shardOf(hashAt(words, at));
      let to = next[shard] ?? 0;
      next[shard] = to + size;
      if (size > 256) {
        rows.set(words.subarray(at, at + size), to);
        at += size;
      } else for (const end = at + size; at < end; at += 1, to += 1) rows[to] = words[at] ?? 0;
    }
    return { rows, offsets };
  }
}
