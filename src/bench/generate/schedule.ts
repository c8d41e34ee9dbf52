/**
 * In which order do rows of many threads come? Interleaved means by time, as a table that many runs write to at once
 * has them; only the threads at work at one moment are held. Easy to get wrong: a thread may not be left out because
 * it starts a moment before its neighbour, so it joins the others at the earliest moment of its number.
 */
import type { Copies, ThreadCopy } from './copies.ts';

/** One row's turn, true until the next is asked for. */
export interface Turn {
  readonly copy: ThreadCopy;
  /** Which of the prototype's rows. */
  readonly at: number;
}

/** All rows, thread by thread. */
export function* grouped(copies: Copies): Generator<Turn> {
  for (let number = 0; number < copies.count; number += 1) {
    const copy = copies.at(number);
    const turn = { copy, at: 0 };
    for (; turn.at < copy.prototype.rows.length; turn.at += 1) yield turn;
  }
}

/** All rows by their times. *Cost*: memory for the threads at work at one moment. */
export function* interleaved(copies: Copies): Generator<Turn> {
  const live: Cursor[] = [];
  let next = 0;
  for (;;) {
    while (next < copies.count && (live[0] === undefined || copies.earliestMs(next) <= live[0].timeMs)) {
      live.push(cursorAt(copies.at(next)));
      rise(live);
      next += 1;
    }
    const cursor = live[0];
    if (cursor === undefined) return;
    yield cursor;
    const { copy } = cursor;
    const following = copy.prototype.rows[cursor.at + 1];
    if (following === undefined) {
      const last = live.pop();
      if (last === undefined || last === cursor) continue;
      live[0] = last;
    } else {
      cursor.at += 1;
      cursor.timeMs = following.row.timeMs + copy.shiftMs;
    }
    sink(live);
  }
}

/** A live thread and its next row. The list of them is a binary heap by that row's time. */
interface Cursor {
  readonly copy: ThreadCopy;
  at: number;
  timeMs: number;
}

function cursorAt(copy: ThreadCopy): Cursor {
  return { copy, at: 0, timeMs: (copy.prototype.rows[0]?.row.timeMs ?? 0) + copy.shiftMs };
}

function rise(heap: Cursor[]): void {
  let at = heap.length - 1;
  const moved = heap[at];
  while (at > 0 && moved !== undefined) {
    const above = (at - 1) >> 1;
    const parent = heap[above];
    if (parent === undefined || parent.timeMs <= moved.timeMs) break;
    heap[at] = parent;
    heap[above] = moved;
    at = above;
  }
}

function sink(heap: Cursor[]): void {
  let at = 0;
  const moved = heap[0];
  if (moved === undefined) return;
  for (;;) {
    const left = 2 * at + 1;
    const [one, other] = [heap[left], heap[left + 1]];
    if (one === undefined) break;
    const least = other !== undefined && other.timeMs < one.timeMs ? left + 1 : left;
    const child = heap[least];
    if (child === undefined || child.timeMs >= moved.timeMs) break;
    heap[at] = child;
    heap[least] = moved;
    at = least;
  }
}
