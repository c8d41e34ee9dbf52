/**
 * Sorts the lines of a block by shard, keeping of each line what an audit reads. A counting sort: the lines are looked
 * at once to learn shard and size, then copied to where they belong. Easy to get wrong: a stored value may have a
 * hundred megabytes and is mostly not read, so it is stepped over, yet a line with a field too many must stay damaged.
 */
import { copyField } from '../copy-text.ts';
import type { TableLayout } from '../table-layout.ts';
import { wantsValue } from '../wanted-values.ts';
import type { Block, LineChoice, Run, Stretch } from './block.ts';
import { headerBytes, omittedFlag, writeHeader } from './record.ts';
import { shardCount, shardOf, threadHash } from './thread-hash.ts';

const tab = 0x09;
const lineFeed = 0x0a;
const carriageReturn = 0x0d;
const backslash = 0x5c;
const letterN = 0x4e;
const unwanted = 0xffff;

/** What stands in for a value that is not kept: an empty bytea in COPY's text form. */
const emptyValue = Buffer.from('\\\\x');

/** What the first look at the lines found, a number for each line. */
interface Lines {
  readonly hash: Uint32Array;
  readonly shard: Uint16Array;
  readonly start: Uint32Array;
  readonly end: Uint32Array;
  /** The value `[cutFrom, cutTo)` is replaced by {@link emptyValue}; both 0: nothing is. */
  readonly cutFrom: Uint32Array;
  readonly cutTo: Uint32Array;
}

/**
 * The lines of a block as a run. `allocate` makes the run's memory, which may be shared between threads. *Cost*: one
 * look at the keys of a line and one copy of what is kept of it.
 */
export function sortBlock(
  block: Block,
  { threads, keptValueBytes }: LineChoice,
  allocate: (bytes: number) => Uint8Array,
): Run {
  const bytes = Buffer.from(block.bytes.buffer, block.bytes.byteOffset, block.bytes.byteLength);
  const count = block.ends.length;
  const lines = emptyLines(count);
  const sizes = new Float64Array(shardCount);
  const valueOf =
    block.layout.kind === 'checkpoints' ? null : valueFinder(bytes, block.layout, keptValueBytes);
  let kept = 0;
  let start = block.start;
  for (let index = 0; index < count; index += 1) {
    const next = block.ends[index] ?? 0;
    let end = bytes[next - 1] === lineFeed ? next - 1 : next;
    if (end > start && bytes[end - 1] === carriageReturn) end -= 1;
    lines.start[index] = start;
    lines.end[index] = end;
    const threadStart = fieldStart(bytes, start, end, block.layout.at.thread_id);
    const threadEnd = fieldEnd(bytes, threadStart, end);
    if (threads !== null && !isWanted(bytes, threadStart, threadEnd, threads)) {
      lines.shard[index] = unwanted;
    } else {
      const hash = threadHash(bytes, threadStart, threadEnd);
      const shard = shardOf(hash);
      lines.hash[index] = hash;
      lines.shard[index] = shard;
      let size = headerBytes + end - start;
      if (valueOf?.(start, end) === true) {
        lines.cutFrom[index] = valueOf.from;
        lines.cutTo[index] = valueOf.to;
        size += emptyValue.length - (valueOf.to - valueOf.from);
      }
      sizes[shard] = (sizes[shard] ?? 0) + size;
      kept += 1;
    }
    start = next;
  }
  return { ...copied(bytes, block, lines, sizes, allocate), kept, seen: count };
}

function emptyLines(count: number): Lines {
  return {
    hash: new Uint32Array(count),
    shard: new Uint16Array(count),
    start: new Uint32Array(count),
    end: new Uint32Array(count),
    cutFrom: new Uint32Array(count),
    cutTo: new Uint32Array(count),
  };
}

function copied(
  bytes: Buffer,
  { ends, section, stretches }: Block,
  lines: Lines,
  sizes: Float64Array,
  allocate: (bytes: number) => Uint8Array,
): Pick<Run, 'bytes' | 'offsets'> {
  const offsets = new Float64Array(shardCount + 1);
  for (let shard = 0; shard < shardCount; shard += 1) {
    offsets[shard + 1] = (offsets[shard] ?? 0) + (sizes[shard] ?? 0);
  }
  const out = allocate(offsets[shardCount] ?? 0);
  const target = Buffer.from(out.buffer, out.byteOffset, out.byteLength);
  const view = new DataView(out.buffer, out.byteOffset, out.byteLength);
  const next = offsets.slice();
  let turn = 0;
  let stretch = stretches[0] ?? noStretch;
  let stretchStart = lines.start[stretch.first] ?? 0;
  for (let index = 0; index < ends.length; index += 1) {
    const coming = stretches[turn + 1];
    if (coming?.first === index) {
      turn += 1;
      stretch = coming;
      stretchStart = lines.start[index] ?? 0;
    }
    const shard = lines.shard[index] ?? unwanted;
    if (shard === unwanted) continue;
    const start = lines.start[index] ?? 0;
    const end = lines.end[index] ?? 0;
    const cutFrom = lines.cutFrom[index] ?? 0;
    const at = next[shard] ?? 0;
    let to = at + headerBytes;
    if (cutFrom === 0) to += bytes.copy(target, to, start, end);
    else {
      to += bytes.copy(target, to, start, cutFrom);
      to += emptyValue.copy(target, to);
      to += bytes.copy(target, to, lines.cutTo[index], end);
    }
    const further = index - stretch.first;
    writeHeader(
      view,
      at,
      to - at - headerBytes,
      lines.hash[index] ?? 0,
      stretch.byte + start - stretchStart,
      stretch.line + further,
      stretch.row + further,
      section,
      cutFrom > 0 || stretch.isOmitted ? omittedFlag : 0,
    );
    next[shard] = to;
  }
  return { bytes: out, offsets };
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
      if (to - from === 2 && bytes[from] === backslash && bytes[from + 1] === letterN) return false;
      // A tab inside the value means a field too many: the line stays whole and is refused when it is decoded.
      if (bytes.subarray(from, to).indexOf(tab) >= 0) return false;
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
