/**
 * Task ids, recomputed. A task's id is a function of the checkpoint it was planned on, its place and its name, so a
 * write row whose id matches proves which node wrote it. Easy to get wrong: JS checkpoint ids of step -1 carry the
 * invalid variant `ffff`, so their hex is read by hand and never validated as a UUID.
 */
import { createSHA1, createXXHash128 } from 'hash-wasm';
import { v5 } from 'uuid';
import { type TaskPath, taskPathText } from './task-path.ts';
import type { ChannelName, CheckpointId, Namespace, NodeName, TaskId } from '../model/identifiers.ts';

/**
 * `js`: every JS version (UUIDv5). `python`: rows of format 2 and later (XXH3-128). `python-v1`: rows of format 1
 * from langgraph 0.2.20 on (SHA-1, truncated).
 */
export type TaskIdFormula = 'js' | 'python' | 'python-v1';

/** Where a task was planned. */
export interface TaskPlace {
  readonly parent: CheckpointId;
  /**
   * The namespace of the parent's row for a pull or a Send; for a functional call and an error handler the own
   * namespace of the task that called or failed (see {@link taskNamespace}), although all write under one row.
   */
  readonly namespace: Namespace;
  /** The task's own step: the parent's `metadata.step` + 1. */
  readonly step: number;
}

/** What started a task, as far as its id depends on it. */
export type TaskOrigin =
  /** A trigger channel. JS since 0.4.6 names one; older JS and Python all of them, sorted. */
  | { readonly kind: 'pull'; readonly triggers: readonly ChannelName[] }
  /** A Send, by its index in the Send list. */
  | { readonly kind: 'push'; readonly index: number }
  /** A functional `task()` call, by its caller and its index among the caller's calls. */
  | { readonly kind: 'call'; readonly caller: TaskPath; readonly index: number }
  /** An error handler of the node whose task failed. */
  | { readonly kind: 'handler'; readonly failed: TaskId };

/** The hash functions, loaded once; everything after that is synchronous. */
export interface TaskIdHashes {
  /** The id LangGraph gives such a task; null when the parent's id is not 32 hex digits. */
  taskId(formula: TaskIdFormula, place: TaskPlace, node: NodeName, origin: TaskOrigin): TaskId | null;
  /**
   * The id under which a write that no task made stands: `update_state` (mark `__interrupt__`, in a JS bulk update
   * `__interrupt__:1` and so on) or an input of delta channels (`__input__`, JS). Null as for {@link taskId}.
   */
  markId(parent: CheckpointId, mark: string): TaskId | null;
  /**
   * The id of a task's interrupt: of the first, or in JS of the one after `answered` answers. `namespaceOfTask` is
   * what {@link taskNamespace} gives.
   */
  interruptId(namespaceOfTask: string, answered?: number): string;
}

/**
 * Compiles the hashes. *Cost*: some milliseconds once; then one or two microseconds an id.
 * *Source*: `pregel/algo.js` and `interrupt.js` of @langchain/langgraph 1.7.3, `pregel/_algo.py` of langgraph 1.2.11.
 */
export async function loadHashes(): Promise<TaskIdHashes> {
  const [xxh3, sha1] = await Promise.all([createXXHash128(), createSHA1()]);
  const digest = { python: xxh3, 'python-v1': sha1 };
  return {
    taskId(formula, place, node, origin) {
      const parent = idBytes(place.parent);
      if (parent === null) return null;
      if (formula === 'js') return v5(utf8.encode(jsName(place, node, origin)), parent) as TaskId;
      const hash = digest[formula]
        .init()
        .update(parent)
        .update(pythonName(place, node, origin))
        .digest();
      return dashed(hash) as TaskId;
    },
    markId(parent, mark) {
      const bytes = idBytes(parent);
      return bytes === null ? null : (v5(utf8.encode(mark), bytes) as TaskId);
    },
    interruptId(namespaceOfTask, answered = 0) {
      return xxh3
        .init()
        .update(answered === 0 ? namespaceOfTask : `${namespaceOfTask}|${answered}`)
        .digest();
    },
  };
}

const utf8 = new TextEncoder();

/** The 16 bytes of an id; null when it is not 32 hex digits, dashes aside. The variant is not looked at. */
export function idBytes(id: string): Uint8Array | null {
  const hex = id.replaceAll('-', '');
  if (!/^[0-9a-f]{32}$/i.test(hex)) return null;
  return Uint8Array.from({ length: 16 }, (_, index) =>
    Number.parseInt(hex.slice(2 * index, 2 * index + 2), 16),
  );
}

/** A task's own namespace, `<namespace>|<node>:<task id>`: where its subgraph's rows and its calls' ids live. */
export function taskNamespace(place: TaskPlace, node: NodeName, id: TaskId): Namespace {
  return `${nestedName(place, node)}:${id}` as Namespace;
}

function nestedName(place: TaskPlace, node: NodeName): string {
  return place.namespace === '' ? node : `${place.namespace}|${node}`;
}

function jsName(place: TaskPlace, node: NodeName, origin: TaskOrigin): string {
  const head = [nestedName(place, node), String(place.step), node];
  switch (origin.kind) {
    case 'pull':
      return JSON.stringify([...head, '__pregel_pull', origin.triggers]);
    case 'push':
      return JSON.stringify([...head, '__pregel_push', String(origin.index)]);
    case 'call':
      return JSON.stringify([...head, '__pregel_push', origin.caller, origin.index]);
    case 'handler':
      return JSON.stringify([...head, '__pregel_push', 'node_error_handler', origin.failed]);
  }
}

/** Python joins the parts without separators. */
function pythonName(place: TaskPlace, node: NodeName, origin: TaskOrigin): string {
  const head = `${nestedName(place, node)}${place.step}${node}`;
  switch (origin.kind) {
    case 'pull':
      return `${head}__pregel_pull${origin.triggers.join('')}`;
    case 'push':
      return `${head}__pregel_push${origin.index}`;
    case 'call':
      return `${head}__pregel_push${taskPathText(origin.caller)}${origin.index}`;
    case 'handler':
      return `${head}__pregel_pushnode_error_handler${origin.failed}`;
  }
}

function dashed(hex: string): string {
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20, 32)].join(
    '-',
  );
}
