/**
 * The lines of one table in a dump's order. Easy to get wrong: a prototype's lines are made once for each table and
 * dropped with it, so that one table's lines are in memory and never all three.
 */
import { blobLines } from './blob-lines.ts';
import { checkpointLine } from './checkpoint-line.ts';
import type { Copies, Prototype, ThreadCopy } from './copies.ts';
import { lineStamp, Stamper, type LineStamp } from './line-stamps.ts';
import { grouped, interleaved } from './schedule.ts';
import type { StoryRow } from './story-row.ts';
import type { Told } from './story.ts';
import { isWhole } from './thread-plan.ts';
import { writeLines, type WriteTools } from './write-lines.ts';

/** The tables that threads have rows in. */
export type ThreadTable = 'checkpoint_blobs' | 'checkpoint_writes' | 'checkpoints';

/** Stands in a prototype's lines where a copy's thread goes; as long as one. */
const anyThread = '00000000-0000-4000-8000-000000000000';

/**
 * A table's lines, each good until the next is asked for; `onThread` is told of every thread once. *Cost*: about a
 * microsecond a line; memory for the lines of all prototypes.
 */
export function* tableLines(
  copies: Copies,
  table: ThreadTable,
  tools: WriteTools,
  onThread: (copy: ThreadCopy) => void = () => undefined,
): Generator<Buffer> {
  const { order } = copies.settings;
  const stamper = new Stamper(tools.hashes);
  const stamps = new Map<Prototype, readonly (readonly LineStamp[])[]>();
  for (const { copy, at } of order === 'interleaved' ? interleaved(copies) : grouped(copies)) {
    const { prototype } = copy;
    if (at === 0) onThread(copy);
    let lines = stamps.get(prototype);
    if (lines === undefined)
      stamps.set(prototype, (lines = prototypeStamps(copies, prototype, table, tools)));
    const told = prototype.rows[at];
    if (told === undefined) continue;
    for (const stamp of lines[at] ?? []) yield stamper.stamped(stamp, told.row, copy);
  }
}

/** The stamps of each of a prototype's rows. */
function prototypeStamps(
  { settings }: Copies,
  { plan, rows }: Prototype,
  table: ThreadTable,
  tools: WriteTools,
): LineStamp[][] {
  const byId = new Map(rows.map(({ row }) => [row.id, row]));
  const newestRun = plan.runs.length - 1;
  const keepsAll = table === 'checkpoints' || settings.retention === 'all' || isWhole(plan);
  return rows.map((told) => {
    if (!keepsAll && told.row.run !== newestRun) return [];
    const parent = told.row.parentId === null ? null : (byId.get(told.row.parentId) ?? null);
    return rowStamps(told, parent);
  });

  function rowStamps(told: Told, parent: StoryRow | null): LineStamp[] {
    const own = parent === null ? [told.row] : [told.row, parent];
    switch (table) {
      case 'checkpoints':
        return [lineStamp(checkpointLine(plan, anyThread, told.row, tools.drafts), own)];
      case 'checkpoint_blobs':
        return blobLines(plan, anyThread, told, tools.drafts).map((line) => lineStamp(line, []));
      case 'checkpoint_writes':
        return writeLines(plan, anyThread, told, tools).map(({ line, task, interrupt }) =>
          lineStamp(line, own, {
            task,
            // An interrupt stands under the row itself, all else under the row that its task was planned on.
            parent: interrupt === null && parent !== null ? parent : told.row,
            interrupt,
          }),
        );
    }
  }
}
