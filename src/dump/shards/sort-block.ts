/**
 * Sorts the lines of a block by shard: the lines stay where they are, what is sorted are numbers that say where. Easy to
 * get wrong: a stored value may have a hundred megabytes and is mostly not read, so it is cut out and the lines behind
 * it move up, yet a line with a field too many must stay damaged.
 */
import { copyField } from '../copy-text.ts';
import type { TableLayout } from '../table-layout.ts';
import { wantsValue } from '../wanted-values.ts';
import type { Block, LineChoice, Run, Stretch } from './block.ts';
import { rowWords, writeRow } from './row-index.ts';
import { shardCount, shardOf, threadHash } from './thread-hash.ts';

const tab = 0x09;
const lineFeed = 0x0a;
const carriageReturn = 0x0d;
const backslash = 0x5c;
const letterX = 0x78;

/** Bytes of what stands in for a value that is cut out: an empty bytea in COPY's text form, `\\x`. */
const emptyValueBytes = 3;

/**
 * The rows of a block as a run; the block's lines are cut and moved up in place. *Cost*: one look at the keys of a
 * line; lines are moved only behind a value that was cut out.
 */
export function sortBlock(block: Block, { threads, keptValueBytes }: LineChoice): Run {
  const { ends, stretches, layout } = block;
  const bytes = Buffer.from(block.memory, 0, ends.at(-1) ?? 0);
  const count = ends.length;
  const cut = valueFinder(bytes, layout, keptValueBytes);
  const mayCut = layout.kind !== 'checkpoints';
  const rows = new Uint32Array(count * rowWords);
  const shards = new Uint16Array(count);
  const offsets = new Uint32Array(shardCount + 1);
  const place = new StretchWalk(stretches);
  let kept = 0;
  let to = block.start;
  let start = block.start;
  for (let index = 0; index < count; index += 1) {
    const next = ends[index] ?? 0;
    let end = bytes[next - 1] === lineFeed ? next - 1 : next;
    if (end > start && bytes[end - 1] === carriageReturn) end -= 1;
    const stretch = place.at(index, start);
    const threadStart = fieldStart(bytes, start, end, layout.at.thread_id);
    const threadEnd = fieldEnd(bytes, threadStart, end);
    if (threads === null || isWanted(bytes, threadStart, threadEnd, threads)) {
      const hash = threadHash(bytes, threadStart, threadEnd);
      const shard = shardOf(hash);
      const isCut = mayCut && cut(start, end);
      const from = to;
      if (!isCut) to = moved(bytes, from, start, end);
      else {
        to = moved(bytes, from, start, cut.from);
        bytes[to] = backslash;
        bytes[to + 1] = backslash;
        bytes[to + 2] = letterX;
        to = moved(bytes, to + emptyValueBytes, cut.to, end);
      }
      const further = index - stretch.first;
      writeRow(
        rows,
        kept,
        hash,
        block.slab,
        from,
        to - from,
        isCut || stretch.isOmitted,
        stretch.byte + start - place.start,
        block.section,
        stretch.line + further,
        stretch.row + further,
      );
      shards[kept] = shard;
      offsets[shard + 1] = (offsets[shard + 1] ?? 0) + 1;
      kept += 1;
    }
    start = next;
  }
  return { ...sorted(rows, shards, offsets, kept), kept, end: to };
}

/** Moves `bytes[start, end)` to `to`, unless it is there; returns where it ends. */
function moved(bytes: Buffer, to: number, start: number, end: number): number {
  if (to !== start) bytes.copyWithin(to, start, end);
  return to + end - start;
}

/** A counting sort of whole rows; `offsets[s + 1]` comes as the number of rows of shard `s`. */
function sorted(
  rows: Uint32Array,
  shards: Uint16Array,
  offsets: Uint32Array,
  kept: number,
): Pick<Run, 'rows' | 'offsets'> {
  for (let shard = 0; shard < shardCount; shard += 1) {
    offsets[shard + 1] = (offsets[shard] ?? 0) + (offsets[shard + 1] ?? 0);
  }
  const next = offsets.slice();
  const out = new Uint32Array(kept * rowWords);
  for (let index = 0; index < kept; index += 1) {
    const shard = shards[index] ?? 0;
    const target = (next[shard] ?? 0) * rowWords;
    const source = index * rowWords;
    for (let word = 0; word < rowWords; word += 1) out[target + word] = rows[source + word] ?? 0;
    next[shard] = (next[shard] ?? 0) + 1;
  }
  return { rows: out, offsets };
}

/** Finds the stretch of each line in turn. */
class StretchWalk {
  readonly #stretches: readonly Stretch[];
  #turn = 0;
  /** Where the first line of the current stretch begins. */
  start = 0;

  constructor(stretches: readonly Stretch[]) {
    this.#stretches = stretches;
  }

  /** The stretch of line `index`, which begins at `start`; to be asked for every line in turn. */
  at(index: number, start: number): Stretch {
    if (index === 0) this.start = start;
    else if (this.#stretches[this.#turn + 1]?.first === index) {
      this.#turn += 1;
      this.start = start;
    }
    return this.#stretches[this.#turn] ?? noStretch;
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

/** Keys are short, so a loop beats a native search. */
function fieldEnd(bytes: Buffer, start: number, end: number): number {
  let at = start;
  while (at < end && bytes[at] !== tab) at += 1;
  return at;
}

function isWanted(bytes: Buffer, start: number, end: number, threads: ReadonlySet<string>): boolean {
  const id = copyField(bytes, start, end);
  return id !== null && threads.has(id.toString('utf8'));
}

/** Says whether a line's value is left out, and then where it is. */
interface ValueFinder {
  (start: number, end: number): boolean;
  from: number;
  to: number;
}

function valueFinder(bytes: Buffer, { at, width }: TableLayout, keptValueBytes: number): ValueFinder {
  const isChannelWanted = channelChoice(bytes);
  const behind = width - 1 - at.blob;
  // LangGraph creates the value behind the channel; a table that has it otherwise is read whole.
  const canCut = at.channel < at.blob;
  const find: ValueFinder = Object.assign(
    (start: number, end: number): boolean => {
      if (!canCut || end - start <= keptValueBytes) return false;
      let from = start;
      let isWantedChannel = true;
      for (let position = 0; position < at.blob; position += 1) {
        const next = fieldEnd(bytes, from, end);
        if (next === end) return false;
        if (position === at.channel) isWantedChannel = isChannelWanted(from, next);
        from = next + 1;
      }
      if (isWantedChannel) return false;
      let to = end;
      for (let passed = 0; passed < behind; passed += 1) {
        do to -= 1;
        while (to >= from && bytes[to] !== tab);
        if (to < from) return false;
      }
      // NULL holds nothing that could be left out, and an empty value is as short as what stands in for it.
      if (to - from <= emptyValueBytes) return false;
      // A tab inside the value means a field too many: the line stays whole and is refused when it is decoded.
      const inside = bytes.indexOf(tab, from);
      if (inside >= 0 && inside < to) return false;
      find.from = from;
      find.to = to;
      return true;
    },
    { from: 0, to: 0 },
  );
  return find;
}

function channelChoice(bytes: Buffer): (start: number, end: number) => boolean {
  const known = new Map<string, boolean>();
  return (start, end) => {
    const spelled = bytes.toString('latin1', start, end);
    let answer = known.get(spelled);
    if (answer === undefined) {
      answer = wantsValue(copyField(bytes, start, end)?.toString('utf8') ?? '');
      known.set(spelled, answer);
    }
    return answer;
  };
}
