/**
 * A task's path inside its superstep: as data, as the text Python hashes and stores in `checkpoint_writes.task_path`,
 * and back from that text. Easy to get wrong: the text of nested paths is flat, so only its beginning can be read
 * back; and it names no node for a Send, only an index.
 */
import type { NodeName } from '../model/identifiers.ts';

/** A pull names its node; a push its Send's index, or for a functional call the caller's path. */
export type TaskPath =
  readonly ['__pregel_pull', string] | readonly ['__pregel_push', TaskPath | number, ...(number | boolean)[]];

/**
 * The text of a path: `~` and the elements joined by `, `, numbers and booleans in ten digits.
 * *Source*: `task_path_str` of langgraph 1.2.11, `taskPathStr` of @langchain/langgraph 1.7.3.
 */
export function taskPathText(path: TaskPath): string {
  let text = '';
  let tail = '';
  let level: TaskPath = path;
  for (;;) {
    const [kind, second, ...rest] = level;
    text += `~${kind}, `;
    tail = rest.map((part) => `, ${tenDigits(Number(part))}`).join('') + tail;
    if (typeof second === 'string') return text + second + tail;
    if (typeof second === 'number') return text + tenDigits(second) + tail;
    level = second;
  }
}

function tenDigits(value: number): string {
  return value < 0 ? `-${String(-value).padStart(9, '0')}` : String(value).padStart(10, '0');
}

/** What a stored `task_path` says of its task. */
export type StoredTaskPath =
  | { readonly kind: 'pull'; readonly node: NodeName }
  /** The Send list has the node. */
  | { readonly kind: 'push'; readonly index: number }
  /** A functional call; its name is not in the path. `caller` is the caller's path as text. */
  | { readonly kind: 'call'; readonly caller: string; readonly index: number }
  /** The error handler of the node `failed`. */
  | { readonly kind: 'handler'; readonly failed: NodeName }
  /** Written by `update_state`; no task ran. */
  | { readonly kind: 'update' };

/**
 * Reads a stored path; null for one that says nothing (`''`, JS rows, update rows of some versions, delta writes of
 * exit durability). A node whose own name ends like a handler's path would be taken for one.
 */
export function readTaskPath(text: string): StoredTaskPath | null {
  if (text.startsWith(pull)) {
    const failed = handlerOf.exec(text)?.groups?.['node'];
    if (failed !== undefined) return { kind: 'handler', failed: failed as NodeName };
    return { kind: 'pull', node: text.slice(pull.length) as NodeName };
  }
  if (text.startsWith('~__interrupt__, ')) return { kind: 'update' };
  const sent = sentAt.exec(text)?.groups?.['index'];
  if (sent !== undefined) return { kind: 'push', index: Number(sent) };
  const call = callOf.exec(text)?.groups;
  if (call === undefined) return null;
  return { kind: 'call', caller: call['caller'] ?? '', index: Number(call['index']) };
}

const pull = '~__pregel_pull, ';
const handlerOf = /^~__pregel_pull, (?<node>.*), node_error_handler, \d{10}$/s;
/** The index, then a flag that the call of the path's maker adds. */
const sentAt = /^~__pregel_push, (?<index>\d{10})(, \d{10})?$/;
const callOf = /^~__pregel_push, (?<caller>~.*), (?<index>\d{10}), \d{10}$/s;
