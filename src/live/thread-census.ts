/**
 * Which threads are chosen, asked before their rows are read: one line a thread comes over the wire, and the choice is
 * made here by the same functions that choose from a dump. Easy to get wrong: the bounds in SQL only spare lines, they
 * do not decide, since a database cannot read the time in an id.
 */
import type { CheckpointId } from '#analysis/model/identifiers.ts';
import { copyField } from '../dump/copy-text.ts';
import {
  checkpointTimeMs,
  idLowerBound,
  isInWindow,
  NewestThreads,
  type ThreadChoice,
} from '../source/thread-choice.ts';
import { effectTimeMs } from '../source/effect-time.ts';
import { selectActivity, threadsCondition } from './copy-sql.ts';
import type { LiveSession } from './live-session.ts';
import type { LiveTable } from './live-tables.ts';
import { tableText, type WantedThreads } from './reading-plan.ts';

/** What a census found. */
export interface Census {
  readonly chosen: WantedThreads;
  /** Threads in no window because no row of theirs tells a time. */
  readonly undated: number;
}

interface Counted {
  readonly schema: string;
  readonly thread: string;
}

/**
 * Chooses threads. `threads`: only of these; null: of all. *Cost*: one grouping of each table of checkpoints in the
 * server, through its primary key; memory for the chosen threads' names.
 */
export async function census(
  session: LiveSession,
  tables: readonly LiveTable[],
  threads: readonly string[] | null,
  choice: ThreadChoice,
): Promise<Census> {
  const bounds = {
    notBefore: choice.sinceMs === null ? null : idLowerBound(choice.sinceMs),
    // Ids of the last moment that is in may be as great as the bound of the millisecond after.
    before: choice.untilMs === null ? null : idLowerBound(choice.untilMs + 1),
  };
  const newest = choice.limit === null ? null : new NewestThreads<Counted>(choice.limit);
  const inWindow: Counted[] = [];
  let undated = 0;
  for (const table of tables) {
    if (table.kind !== 'checkpoints') continue;
    const where = threads === null ? null : threadsCondition(table, threads);
    for await (const [thread, id, stamp] of lines(session, selectActivity(table, where, bounds), table)) {
      const newestMs = later(
        id === null ? null : checkpointTimeMs(id as CheckpointId, null),
        stamp === null ? null : effectTimeMs(stamp),
      );
      const counted = { schema: table.schema, thread };
      if (!isInWindow(choice, newestMs)) undated += newestMs === null ? 1 : 0;
      else if (newest === null) inWindow.push(counted);
      else newest.add(thread, newestMs, counted);
    }
  }
  return { chosen: bySchema(newest?.end().newest ?? inWindow), undated };
}

function later(one: number | null, other: number | null): number | null {
  if (one === null || other === null) return one ?? other;
  return Math.max(one, other);
}

function bySchema(threads: readonly Counted[]): WantedThreads {
  const found = new Map<string, string[]>();
  for (const { schema, thread } of threads) {
    const known = found.get(schema);
    if (known === undefined) found.set(schema, [thread]);
    else known.push(thread);
  }
  return found;
}

type Line = readonly [thread: string, id: string | null, stamp: string | null];

async function* lines(session: LiveSession, select: string, table: LiveTable): AsyncGenerator<Line> {
  let rest: Buffer = Buffer.alloc(0);
  for await (const chunk of session.copy(select, tableText(table))) {
    const bytes = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    let at = 0;
    for (let end = bytes.indexOf(0x0a); end >= 0; end = bytes.indexOf(0x0a, at)) {
      yield lineOf(bytes, at, end);
      at = end + 1;
    }
    rest = bytes.subarray(at);
  }
}

function lineOf(bytes: Buffer, start: number, end: number): Line {
  const first = bytes.indexOf(0x09, start);
  const second = bytes.indexOf(0x09, first + 1);
  const text = (from: number, to: number): string | null =>
    copyField(bytes, from, to)?.toString('utf8') ?? null;
  return [text(start, first) ?? '', text(first + 1, second), text(second + 1, end)];
}
