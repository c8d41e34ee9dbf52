/**
 * Which threads are chosen, asked before their rows are read: one line a thread comes over the wire, and the choice is
 * made here by the same functions that choose from a dump. Easy to get wrong: the bounds in SQL only spare lines, they
 * do not decide, since a database cannot read the time in an id.
 */
import type { CheckpointId } from '#analysis/model/identifiers.ts';
import { pushTo } from '#analysis/model/maps.ts';
import { copyField } from '../dump/copy-text.ts';
import {
  checkpointTimeMs,
  idLowerBound,
  isInWindow,
  NewestThreads,
  type ThreadChoice,
} from '../source/thread-choice.ts';
import { effectTimeMs } from '../source/effect-time.ts';
import { selectNewestIds, selectStamps, threadsCondition } from './copy-sql.ts';
import type { LiveSession } from './live-session.ts';
import type { LiveTable } from './live-tables.ts';
import { tableText, threadsAStatement, type WantedThreads } from './reading-plan.ts';

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
 * server, from its primary key alone; memory for the chosen threads' names.
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
  const count = (schema: string, thread: string, newestMs: number | null): void => {
    if (!isInWindow(choice, newestMs)) undated += newestMs === null ? 1 : 0;
    else if (newest === null) inWindow.push({ schema, thread });
    else newest.add(thread, newestMs, { schema, thread });
  };
  for (const table of tables) {
    if (table.kind !== 'checkpoints') continue;
    const where = threads === null ? null : threadsCondition(table, threads);
    const open = new Map<string, number | null>();
    for await (const [thread, id, isOpen] of fields(session, selectNewestIds(table, where, bounds), table)) {
      const time = id == null ? null : checkpointTimeMs(id as CheckpointId, null);
      if (time === null || isOpen === 'true') open.set(thread ?? '', time);
      else count(table.schema, thread ?? '', time);
    }
    await lookAtStamps(session, table, open);
    for (const [thread, time] of open) count(table.schema, thread, time);
  }
  return { chosen: bySchema(newest?.end().newest ?? inWindow), undated };
}

/** Raises the times of threads whose ids do not tell them all to those of their `ts`. */
async function lookAtStamps(
  session: LiveSession,
  table: LiveTable,
  open: Map<string, number | null>,
): Promise<void> {
  const names = [...open.keys()];
  for (let at = 0; at < names.length; at += threadsAStatement) {
    const where = threadsCondition(table, names.slice(at, at + threadsAStatement));
    for await (const [thread = '', stamp = null] of fields(session, selectStamps(table, where), table)) {
      const time = stamp === null ? null : effectTimeMs(stamp);
      const known = open.get(thread ?? '') ?? null;
      if (time !== null && (known === null || time > known)) open.set(thread ?? '', time);
    }
  }
}

function bySchema(threads: readonly Counted[]): WantedThreads {
  const found = new Map<string, string[]>();
  for (const { schema, thread } of threads) pushTo(found, schema, thread);
  return found;
}

/** The fields of each row; null: NULL. */
async function* fields(
  session: LiveSession,
  select: string,
  table: LiveTable,
): AsyncGenerator<readonly (string | null)[]> {
  let rest: Buffer = Buffer.alloc(0);
  for await (const chunk of session.copy(select, `table ${tableText(table)}`)) {
    const bytes = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    let at = 0;
    for (let end = bytes.indexOf(0x0a); end >= 0; end = bytes.indexOf(0x0a, at)) {
      yield fieldsOf(bytes, at, end);
      at = end + 1;
    }
    rest = bytes.subarray(at);
  }
}

function fieldsOf(bytes: Buffer, start: number, end: number): readonly (string | null)[] {
  const found: (string | null)[] = [];
  for (let at = start; at <= end;) {
    const tab = bytes.indexOf(0x09, at);
    const to = tab < 0 || tab > end ? end : tab;
    found.push(copyField(bytes, at, to)?.toString('utf8') ?? null);
    at = to + 1;
  }
  return found;
}
