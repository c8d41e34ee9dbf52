import { beforeAll, describe, expect, test } from 'vitest';
import type { ThreadRows, WriteRow } from '#analysis/model/checkpoint.ts';
import type { ChannelName, CheckpointId, Namespace, NodeName, TaskId } from '#analysis/model/identifiers.ts';
import { barrierName } from '#analysis/serialization/barrier.ts';
import { decodeStored } from '#analysis/serialization/decode-stored.ts';
import {
  recogniseTasks,
  type Recognition,
  type TaskCandidates,
} from '#analysis/serialization/recognise-task.ts';
import { sendList } from '#analysis/serialization/send-list.ts';
import { loadHashes, type TaskIdHashes, type TaskPlace } from '#analysis/serialization/task-ids.ts';
import { readTaskPath } from '#analysis/serialization/task-path.ts';
import { expectedRows, recordedSets } from './testing/expected.ts';
import { fixture, readAll } from './testing/read-all.ts';

let hashes: TaskIdHashes;
beforeAll(async () => {
  hashes = await loadHashes();
});

/** Everything a thread's rows let one guess, and the names its nodes logged. */
class ThreadGuesses {
  readonly #writer: 'js' | 'python';
  readonly #rows: ThreadRows;
  readonly #nodes = new Set<NodeName>();
  readonly #triggers = new Map<NodeName, Set<ChannelName>>();
  readonly #channels = new Set<ChannelName>();

  constructor(writer: 'js' | 'python', rows: ThreadRows, logged: readonly string[]) {
    this.#writer = writer;
    this.#rows = rows;
    for (const row of rows.checkpoints) {
      for (const [node, seen] of row.versionsSeen)
        for (const channel of seen.keys()) this.#trigger(node, channel);
      for (const [node] of row.versionsSeen) this.#nodes.add(node);
      for (const channel of row.channelVersions.keys()) {
        this.#channels.add(channel);
        const target = barrierName(channel)?.target ?? /^branch:to:(.*)$/s.exec(channel)?.[1];
        if (target !== undefined) this.#trigger(target as NodeName, channel);
      }
    }
    for (const node of logged) this.#nodes.add(node as NodeName);
  }

  #trigger(node: NodeName, channel: ChannelName): void {
    this.#nodes.add(node);
    this.#triggers.set(node, (this.#triggers.get(node) ?? new Set()).add(channel));
  }

  recognise(place: TaskPlace, wanted: ReadonlySet<TaskId>): Recognition {
    const writes = this.#rows.writes?.filter((write) => write.checkpoint === place.parent) ?? [];
    const row = this.#rows.checkpoints.find((one) => one.id === place.parent);
    const candidates: TaskCandidates = {
      formulas: this.#writer === 'js' ? ['js'] : ['python', 'python-v1'],
      nodes: [...this.#nodes],
      triggers: new Map([...this.#nodes].map((node) => [node, this.#triggersOf(node, row?.format === 1)])),
      sends: this.#sendsAt(place),
      // One more than have returned: a call may have been cut off.
      callsPerCaller: writes.some((write) => write.channel === '__return__') ? 4 : 0,
      failed: writes.filter((write) => write.channel === '__error__').map((write) => write.task),
    };
    return recogniseTasks(hashes, place, candidates, wanted);
  }

  /** In the oldest layout a node's own channel triggers its successors, which only a finished successor shows. */
  #triggersOf(node: NodeName, isOldLayout: boolean): readonly ChannelName[] {
    const known = [...(this.#triggers.get(node) ?? [])];
    if (!isOldLayout || known.length > 0) return known;
    return [...this.#channels].filter((channel) => this.#nodes.has(channel as string as NodeName));
  }

  #sendsAt(place: TaskPlace): readonly NodeName[] | number {
    const row = this.#rows.checkpoints.find((one) => one.id === place.parent);
    const version = row?.channelVersions.get('__pregel_tasks' as ChannelName);
    const blob = this.#rows.blobs?.find(
      (one) =>
        one.namespace === place.namespace &&
        one.channel === '__pregel_tasks' &&
        one.version === String(version),
    );
    const sends = blob === undefined ? null : sendList(decodeStored(blob.value));
    // Before format 4 the Sends of a row are writes under its parent; trying a few indexes is as good.
    return sends?.kind === 'sends' && sends.nodes.length > 0 ? sends.nodes : 4;
  }
}

/** Tasks with write rows, by their row. */
function tasksByRow(rows: ThreadRows): ReadonlyMap<string, readonly WriteRow[]> {
  const groups = new Map<string, WriteRow[]>();
  for (const write of rows.writes ?? []) {
    const key = `${write.checkpoint} ${write.namespace}`;
    groups.set(key, [...(groups.get(key) ?? []), write]);
  }
  return groups;
}

/** Ids under which no task wrote: Commands, and what exit durability keeps of delta channels. */
const noTask = /^(?:0000[0-9]{4}-|f{8}-)/;

/** Who wrote under an id that is no task's: an update, an input, or an answer stored under its interrupt's id (JS). */
function isMark(id: TaskId, parent: CheckpointId, tasks: Recognition['tasks']): boolean {
  if (['__interrupt__', '__input__'].some((mark) => hashes.markId(parent, mark) === id)) return true;
  return [...tasks].some(([task, { node }]) => hashes.interruptId(`${node}:${task}`) === id);
}

/** Per set: tasks that a node logged; ids with write rows under a checkpoint that exists; of these not a task's. */
const counts: Readonly<Record<string, readonly [number, number, number]>> = {
  'race-js': [110, 130, 0],
  'race-py': [100, 130, 0],
  'zoo-js': [333, 368, 1],
  'zoo-py': [387, 449, 2],
  'oldschema-py': [20, 25, 0],
  'old-0.2.20-js': [157, 38, 3],
  'old-0.2.74-js': [181, 243, 3],
  'old-0.4.5-js': [189, 243, 3],
  'old-1.2.7-js': [189, 243, 3],
};

describe('every task id stored by a real run is recomputed from names, with the node that logged it', () => {
  test.each(recordedSets.filter((set) => set !== 'shallow-py'))('%s', async (set) => {
    const { writer, tasks } = expectedRows(set);
    let [logged, stored, marks] = [0, 0, 0];
    for (const rows of await readAll({ kind: 'file', path: fixture(`${set}.sql.gz`) })) {
      const own = tasks.filter(([thread]) => thread === rows.thread);
      const nodeOf = new Map(own.map(([, , , , task, node]) => [task, node]));
      const guesses = new ThreadGuesses(writer, rows, [...nodeOf.values()]);
      for (const [, namespace, parent, step, task, node] of own) {
        // A call's or a handler's namespace is that of the task it came from; the search begins at the row's.
        const isNested = rows.checkpoints.every((row) => row.namespace !== namespace) && namespace !== '';
        const place = {
          parent: parent as CheckpointId,
          namespace: (isNested ? namespace.replace(/(?:^|\|)[^|]*$/, '') : namespace) as Namespace,
          step,
        };
        const { tasks: found } = guesses.recognise(place, new Set([task as TaskId]));
        logged += 1;
        expect(found.get(task as TaskId)?.node, `${rows.thread} ${task}`).toBe(node);
      }
      for (const writes of tasksByRow(rows).values()) {
        const [first] = writes;
        const row = rows.checkpoints.find(
          (one) => one.id === first?.checkpoint && one.namespace === first.namespace,
        );
        if (row?.step === null || row === undefined) continue;
        const ids = new Set(writes.map((write) => write.task).filter((task) => !noTask.test(task)));
        const { tasks: found } = guesses.recognise(
          { parent: row.id, namespace: row.namespace, step: row.step + 1 },
          ids,
        );
        stored += ids.size;
        const unknown = [...ids].filter((id) => !found.has(id));
        marks += unknown.length;
        expect(
          unknown.filter((id) => !isMark(id, row.id, found)),
          rows.thread,
        ).toEqual([]);
        for (const write of writes) {
          const recognised = found.get(write.task);
          const path = write.taskPath === null ? null : readTaskPath(write.taskPath);
          if (recognised === undefined || path === null) continue;
          expect(recognised.kind).toBe(path.kind);
          if (path.kind === 'pull') expect(recognised.node).toBe(path.node);
          if (path.kind === 'handler') expect(recognised.node).toBe(`__error_handler__${path.failed}`);
        }
        for (const [task, { node }] of found) expect(nodeOf.get(task) ?? node).toBe(node);
      }
    }
    expect([logged, stored, marks]).toEqual(counts[set]);
  });
});
