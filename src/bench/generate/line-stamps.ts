/**
 * A prototype's lines as bytes, and where a copy's own ids and times go in them. Stamping writes into the one buffer
 * and hands it out, so a line is good until the next is asked for.
 */
import type { TaskIdHashes } from '#analysis/serialization/task-ids.ts';
import { copiedId, type ThreadCopy } from './copies.ts';
import { idTime, idTimeLength, timestamp } from './moments.ts';
import { hex } from './stored-values.ts';
import type { StoryRow } from './story-row.ts';
import { taskOf, type Task } from './write-lines.ts';

/** A line before it is a copy's. It names its thread at its start. */
export interface LineStamp {
  readonly bytes: Buffer;
  /** The rows whose ids it holds, and where. */
  readonly ids: readonly { readonly row: StoryRow; readonly at: readonly number[] }[];
  /** Where its time stamp begins; -1: none. */
  readonly timestampAt: number;
  /** The task whose id it holds, the row under which it stands, and where; null: none. */
  readonly task: {
    readonly task: Task;
    readonly parent: StoryRow;
    readonly at: number;
    readonly interruptAt: number;
  } | null;
}

/** The stamp of a line; `rows` are those whose ids may stand in it. */
export function lineStamp(
  line: string,
  rows: readonly StoryRow[],
  task: { readonly task: Task; readonly parent: StoryRow; readonly interrupt: string | null } | null = null,
): LineStamp {
  const ids = rows.map((row) => ({ row, at: places(line, row.id) })).filter(({ at }) => at.length > 0);
  const key = '"ts": "';
  const keyAt = line.indexOf(key);
  return {
    bytes: Buffer.from(line, 'latin1'),
    ids,
    timestampAt: keyAt < 0 ? -1 : keyAt + key.length,
    task:
      task === null
        ? null
        : {
            task: task.task,
            parent: task.parent,
            // After thread, namespace and checkpoint id, with a tab after each.
            at: line.indexOf(task.parent.id) + task.parent.id.length + 1,
            interruptAt: task.interrupt === null ? -1 : line.indexOf(task.interrupt),
          },
  };
}

function places(line: string, id: string): number[] {
  const found: number[] = [];
  for (let at = line.indexOf(id); at >= 0; at = line.indexOf(id, at + id.length)) found.push(at);
  return found;
}

/** Stamps lines of one copy after the other. */
export class Stamper {
  private readonly hashes: TaskIdHashes;
  /** All writes of a task follow each other, so the last id is most often the next one too. */
  private last: {
    readonly copy: ThreadCopy;
    readonly task: Task;
    readonly made: ReturnType<typeof taskOf>;
  } | null = null;

  constructor(hashes: TaskIdHashes) {
    this.hashes = hashes;
  }

  /** The line as the copy has it. *Shape*: the stamp's own bytes, overwritten by its next use. */
  stamped({ bytes, ids, timestampAt, task }: LineStamp, row: StoryRow, copy: ThreadCopy): Buffer {
    const { language } = copy.prototype.plan;
    bytes.write(copy.thread, 0, 'latin1');
    for (const id of ids) {
      const time = idTime(language, id.row.timeMs + copy.shiftMs);
      for (const at of id.at) bytes.write(time, at, idTimeLength, 'latin1');
    }
    if (timestampAt >= 0) bytes.write(timestamp(row.timeMs + copy.shiftMs), timestampAt, 'latin1');
    if (task !== null) {
      const { id, namespace } = this.taskIn(copy, task.parent, task.task);
      bytes.write(id, task.at, 'latin1');
      if (task.interruptAt >= 0)
        bytes.write(hex(this.hashes.interruptId(namespace)), task.interruptAt, 'latin1');
    }
    return bytes;
  }

  private taskIn(copy: ThreadCopy, parent: StoryRow, task: Task): ReturnType<typeof taskOf> {
    if (this.last?.copy === copy && this.last.task === task) return this.last.made;
    const made = taskOf(this.hashes, copy.prototype.plan.language, copiedId(copy, parent), task);
    this.last = { copy, task, made };
    return made;
  }
}
