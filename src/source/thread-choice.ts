/**
 * Which threads are recent enough to be looked at? A thread is as recent as its newest checkpoint, in any namespace, and
 * is then read whole. Easy to get wrong: the time is the one in the id, which is what LangGraph orders by; and a
 * thread whose rows tell no time is in no window, which must be said.
 */
import type { CheckpointRow } from '#analysis/model/checkpoint.ts';
import type { CheckpointId } from '#analysis/model/identifiers.ts';
import { idTimeMs } from '#analysis/rows/id-time.ts';
import { effectTimeMs } from './effect-time.ts';

/** A choice of threads by their newest activity. Times are Unix milliseconds; null: no bound. */
export interface ThreadChoice {
  /** The first moment that is recent enough. */
  readonly sinceMs: number | null;
  /** The first moment that is too recent. */
  readonly untilMs: number | null;
  /** The most threads there may be: the newest ones. */
  readonly limit: number | null;
}

/** Whether a choice leaves anything out. */
export function choosesAll({ sinceMs, untilMs, limit }: ThreadChoice): boolean {
  return sinceMs === null && untilMs === null && limit === null;
}

/** When a checkpoint was made, Unix milliseconds: by its id; by its `ts` where the id holds no time; else null. */
export function checkpointTimeMs(id: CheckpointId, timestamp: string | null): number | null {
  return idTimeMs(id) ?? (timestamp === null ? null : effectTimeMs(timestamp));
}

/** When a thread was last active, Unix milliseconds; null when no row tells. */
export function newestActivity(rows: Iterable<Pick<CheckpointRow, 'id' | 'timestamp'>>): number | null {
  let newest: number | null = null;
  for (const { id, timestamp } of rows) {
    const time = checkpointTimeMs(id, timestamp);
    if (time !== null && (newest === null || time > newest)) newest = time;
  }
  return newest;
}

/** Whether a thread that was last active then is between the bounds; one that tells no time is not, if there are any. */
export function isInWindow({ sinceMs, untilMs }: ThreadChoice, newestMs: number | null): boolean {
  if (newestMs === null) return sinceMs === null && untilMs === null;
  return (sinceMs === null || newestMs >= sinceMs) && (untilMs === null || newestMs < untilMs);
}

interface Kept<Item> {
  readonly thread: string;
  /** Of no time: older than all others. */
  readonly newestMs: number;
  readonly item: Item;
}

/** Keeps the newest `limit` of many threads. *Cost*: memory for twice as many; log(limit) comparisons a thread. */
export class NewestThreads<Item> {
  readonly #limit: number;
  #kept: Kept<Item>[] = [];

  /** `limit`: at least one. */
  constructor(limit: number) {
    this.#limit = limit;
  }

  /** Takes a thread; returns those that are certainly not among the newest, each once. */
  add(thread: string, newestMs: number | null, item: Item): readonly Item[] {
    this.#kept.push({ thread, newestMs: newestMs ?? Number.NEGATIVE_INFINITY, item });
    return this.#kept.length < 2 * this.#limit ? [] : this.#cut();
  }

  /** The newest, newest first, equally new ones by name; and the last of those left out. Call it once. */
  end(): { readonly newest: readonly Item[]; readonly left: readonly Item[] } {
    const left = this.#cut();
    return { newest: this.#kept.map(({ item }) => item), left };
  }

  #cut(): readonly Item[] {
    this.#kept.sort(newestFirst);
    const left = this.#kept.slice(this.#limit);
    this.#kept = this.#kept.slice(0, this.#limit);
    return left.map(({ item }) => item);
  }
}

function newestFirst(one: Kept<unknown>, other: Kept<unknown>): number {
  if (one.newestMs !== other.newestMs) return one.newestMs > other.newestMs ? -1 : 1;
  return one.thread < other.thread ? -1 : one.thread > other.thread ? 1 : 0;
}

/** 100 ns ticks between 1582-10-15 and 1970-01-01, RFC 9562. */
const gregorianOffsetTicks = 0x01b21dd213814000n;
/** {@link idTimeMs} is exact to 2 microseconds; the bound is that much lower, so that it leaves out no id in doubt. */
const marginTicks = 40n;
/** What 60 bits hold: the year 5236. */
const greatestTicks = (1n << 60n) - 1n;

/**
 * A text that is not greater than any version-6 id made at or after the time, in byte order: for databases, which can
 * compare ids but not read them. Ids up to 4 microseconds older than the millisecond may be greater too.
 */
export function idLowerBound(timeMs: number): string {
  const ticks = BigInt(Math.floor(timeMs)) * 10_000n + gregorianOffsetTicks - marginTicks;
  const within = ticks < 0n ? 0n : ticks > greatestTicks ? greatestTicks : ticks;
  const hex = within.toString(16).padStart(15, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-6${hex.slice(12)}`;
}
