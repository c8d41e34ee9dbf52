/**
 * Which node a stored task belongs to. Python writes it in `task_path`; an effect log knows it; otherwise the id is
 * recomputed from every name the thread's rows mention. A miss means the guesses lacked the name, nothing more.
 */
import type { WriteRow } from '#analysis/model/checkpoint.ts';
import type { Effect } from '#analysis/model/effect.ts';
import type { ChannelName, CheckpointId, NodeName, TaskId } from '#analysis/model/identifiers.ts';
import { rowAt } from '#analysis/lineage/tree.ts';
import { rowWriter } from '#analysis/rows/versions.ts';
import { pseudoNodes } from '#analysis/rows/versions-seen.ts';
import { barrierName } from '#analysis/serialization/barrier.ts';
import { recogniseTasks, type TaskCandidates } from '#analysis/serialization/recognise-task.ts';
import { readTaskPath } from '#analysis/serialization/task-path.ts';
import type { TaskIdFormula, TaskIdHashes, TaskOrigin } from '#analysis/serialization/task-ids.ts';
import { sendsOf } from './sends.ts';
import type { NamespaceAccount, ThreadAccount } from './account.ts';

/** A task with its node. */
export interface NamedTask {
  readonly node: NodeName;
  /** What started it; null when only the log names it. */
  readonly kind: TaskOrigin['kind'] | null;
}

/** Names tasks of one thread. */
export interface TaskNames {
  /** The tasks `wanted` that were planned at row `at`; unknown ones are absent. */
  readonly name: (
    account: NamespaceAccount,
    at: number,
    wanted: ReadonlySet<TaskId>,
  ) => ReadonlyMap<TaskId, NamedTask>;
}

/** Prepares naming. `hashes` null: only stored paths and the log name tasks. */
export function taskNames(
  thread: ThreadAccount,
  effects: readonly Effect[],
  hashes: TaskIdHashes | null,
): TaskNames {
  const logged = labels(effects);
  let guesses: Guesses | null = null;
  return {
    name: (account, at, wanted) => {
      const row = rowAt(account.tree, at);
      const named = new Map<TaskId, NamedTask>();
      fromRows(thread.writes.at(row.namespace, row.id), wanted, named);
      if (named.size < wanted.size && hashes !== null && row.step !== null) {
        guesses ??= guessNames(thread, effects);
        const missing = new Set([...wanted].filter((task) => !named.has(task)));
        const { tasks } = recogniseTasks(
          hashes,
          { parent: row.id, namespace: row.namespace, step: row.step + 1 },
          candidatesAt(thread, account, at, guesses),
          missing,
        );
        for (const [task, { node, kind }] of tasks) named.set(task, { node, kind });
      }
      fromLog(row.id, wanted, logged, named);
      return named;
    },
  };
}

function candidatesAt(
  thread: ThreadAccount,
  account: NamespaceAccount,
  at: number,
  guesses: Guesses,
): TaskCandidates {
  const row = rowAt(account.tree, at);
  const sends = sendsOf(row, thread.blobs, thread.writes);
  const writes = thread.writes.at(row.namespace, row.id);
  return {
    formulas: formulasOf(account, at),
    nodes: guesses.nodes,
    triggers: guesses.triggers,
    sends: sends.kind === 'sends' ? sends.nodes : 64,
    callsPerCaller: writes.filter((write) => write.channel === '__return__').length,
    failed: writes.filter((write) => write.channel === '__error_source_node__').map((write) => write.task),
  };
}

/** What the log calls each task; a task that it calls by two names is not named by it. */
function labels(effects: readonly Effect[]): ReadonlyMap<string, NodeName> {
  const logged = new Map<string, NodeName>();
  const ambiguous = new Set<string>();
  for (const { parent, task, node } of effects) {
    // What LangGraph forbids in a node's name is a note about the node.
    if (parent === null || task === null || /[:|]/.test(node)) continue;
    const key = `${parent} ${task}`;
    if ((logged.get(key) ?? node) !== node) ambiguous.add(key);
    logged.set(key, node);
  }
  for (const key of ambiguous) logged.delete(key);
  return logged;
}

function fromRows(
  writes: readonly WriteRow[],
  wanted: ReadonlySet<TaskId>,
  named: Map<TaskId, NamedTask>,
): void {
  for (const write of writes) {
    if (write.taskPath === null || !wanted.has(write.task)) continue;
    const path = readTaskPath(write.taskPath);
    if (path?.kind === 'pull') named.set(write.task, { node: path.node, kind: 'pull' });
  }
}

function fromLog(
  parent: CheckpointId,
  wanted: ReadonlySet<TaskId>,
  logged: ReadonlyMap<string, NodeName>,
  named: Map<TaskId, NamedTask>,
): void {
  for (const task of wanted) {
    const node = logged.get(`${parent} ${task}`);
    // The log knows an error handler by its own name; its node is called after the node that failed.
    const known = named.get(task);
    if (node !== undefined && (known === undefined || known.kind === 'handler')) {
      named.set(task, { node, kind: known?.kind ?? null });
    }
  }
}

function formulasOf(account: NamespaceAccount, at: number): readonly TaskIdFormula[] {
  const row = rowAt(account.tree, at);
  if (rowWriter(row) === 'js') return ['js'];
  return row.format === 1 ? ['python-v1'] : ['python'];
}

interface Guesses {
  readonly nodes: readonly NodeName[];
  readonly triggers: ReadonlyMap<NodeName, readonly ChannelName[]>;
}

/** Every name that the thread's rows, namespaces and log mention. */
function guessNames(thread: ThreadAccount, effects: readonly Effect[]): Guesses {
  const nodes = new Set<NodeName>();
  const triggers = new Map<NodeName, Set<ChannelName>>();
  const trigger = (node: NodeName, channel: ChannelName): void => {
    nodes.add(node);
    const known = triggers.get(node);
    if (known === undefined) triggers.set(node, new Set([channel]));
    else known.add(channel);
  };
  for (const { namespace, tree } of thread.namespaces) {
    for (const segment of namespace.split('|')) {
      const node = segment.split(':')[0] ?? '';
      if (node !== '' && !/^\d+$/.test(node)) nodes.add(node as NodeName);
    }
    for (const row of tree.rows) {
      for (const [node, channels] of row.versionsSeen) {
        if (pseudoNodes.has(node) && node !== '__start__') continue;
        nodes.add(node);
        for (const channel of channels.keys()) trigger(node, channel);
      }
      for (const channel of row.channelVersions.keys()) {
        const target = /^branch:to:(.*)$/s.exec(channel)?.[1] ?? barrierName(channel)?.target;
        if (target !== undefined) trigger(target as NodeName, channel);
      }
    }
  }
  for (const { node } of effects) nodes.add(node);
  return { nodes: [...nodes], triggers: new Map([...triggers].map(([node, set]) => [node, [...set]])) };
}
