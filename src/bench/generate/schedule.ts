/**
 * In which order do rows of many threads come? Interleaved means by time, as a table that many runs write to at once
 * has them; only the threads at work at one moment are held. Easy to get wrong: a thread's story is told anew in each
 * table's pass, so nothing here may depend on what is printed.
 */
import { planThread, type DumpPlan, type ThreadPlan } from './thread-plan.ts';
import { tellThread, type Told } from './story.ts';

/** One row's turn. */
export interface Turn {
  readonly plan: ThreadPlan;
  readonly told: Told;
}

/** All rows, thread by thread. */
export function* grouped(dump: DumpPlan, drafts: number): Generator<Turn> {
  for (let number = 0; number < dump.threads; number += 1) {
    const plan = planThread(dump, number);
    for (const told of tellThread(plan, drafts)) yield { plan, told };
  }
}

/** All rows by their times. *Cost*: memory for the threads at work at one moment. */
export function* interleaved(dump: DumpPlan, drafts: number): Generator<Turn> {
  const live: Cursor[] = [];
  let next = 0;
  for (;;) {
    // A thread does not start before its number's slot.
    while (
      next < dump.threads &&
      (live[0] === undefined || next * dump.spacingMs <= live[0].told.row.timeMs)
    ) {
      const plan = planThread(dump, next);
      const rows = tellThread(plan, drafts);
      const first = rows.next();
      if (first.done !== true) live.push({ plan, rows, told: first.value });
      rise(live);
      next += 1;
    }
    const cursor = live[0];
    if (cursor === undefined) return;
    const { plan, told, rows } = cursor;
    yield { plan, told };
    const following = rows.next();
    if (following.done === true) {
      const last = live.pop();
      if (last === undefined || last === cursor) continue;
      live[0] = last;
    } else cursor.told = following.value;
    sink(live);
  }
}

/** A live thread and its next row. The list of them is a binary heap by that row's time. */
interface Cursor extends Turn {
  readonly rows: Generator<Told>;
  told: Told;
}

function rise(heap: Cursor[]): void {
  let at = heap.length - 1;
  const moved = heap[at];
  while (at > 0 && moved !== undefined) {
    const above = (at - 1) >> 1;
    const parent = heap[above];
    if (parent === undefined || parent.told.row.timeMs <= moved.told.row.timeMs) break;
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
    const least = other !== undefined && other.told.row.timeMs < one.told.row.timeMs ? left + 1 : left;
    const child = heap[least];
    if (child === undefined || child.told.row.timeMs >= moved.told.row.timeMs) break;
    heap[at] = child;
    heap[least] = moved;
    at = least;
  }
}
