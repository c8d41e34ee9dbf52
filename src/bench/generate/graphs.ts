/**
 * The graphs whose threads a dump holds: a line of four nodes, a fan-out by Sends, and an agent that loops. Easy to
 * get wrong: jsonb orders keys by length and then by bytes, and pg_dump prints them so.
 */

/** One superstep: which node runs, what started it, and what it starts. Node 0 is `__start__`. */
export interface Superstep {
  readonly node: number;
  /** So many tasks, each of one Send; 0: one task, by the node's trigger. */
  readonly pushed: number;
  /** The node whose trigger it sets; null: none. */
  readonly next: number | null;
  /** Sends it makes, to `worker`. */
  readonly sends: number;
  /** Channels that get a new version, ascending by number. */
  readonly changed: readonly number[];
}

/** A compiled graph as far as rows show it. */
export interface Graph {
  /** By number; 0 is `__start__`. */
  readonly nodes: readonly string[];
  /** By number: `draft`, `steps`, `__start__`, `__pregel_tasks`, then the trigger of every node from 1 on. */
  readonly channels: readonly string[];
  /** Channel numbers as jsonb orders their names. */
  readonly channelOrder: readonly number[];
  /** Node numbers as jsonb orders their names; -1 stands for `__input__`. */
  readonly seenOrder: readonly number[];
  /** The supersteps of one run; `turns` is how often a loop turns. */
  readonly run: (turns: number) => readonly Superstep[];
}

/** Channel numbers that every graph has. */
export const channel = { draft: 0, steps: 1, start: 2, sends: 3 } as const;

/** The channel that starts a node. */
export function triggerOf(node: number): number {
  return node === 0 ? channel.start : channel.sends + node;
}

/** Sends of one fan-out. */
const fanOut = 3;

function step(node: number, next: number | null, sends = 0, pushed = 0): Superstep {
  const changed = new Set<number>([channel.steps]);
  // Three workers at once may not write the one draft.
  if (pushed === 0) changed.add(channel.draft).add(triggerOf(node));
  if (pushed > 0 || sends > 0) changed.add(channel.sends);
  if (next !== null) changed.add(triggerOf(next));
  return { node, next, sends, pushed, changed: [...changed].sort((a, b) => a - b) };
}

const lineRun = [step(0, 1), step(1, 2), step(2, 3), step(3, 4), step(4, null)];
const sendsRun = [step(0, 1), step(1, null, fanOut), step(2, 3, 0, fanOut), step(3, null)];

const loopStart = step(0, 1);
const loopTurn = [step(1, 2), step(2, 1)];
const loopEnd = step(1, null);

/** plan, charge, notify, finish. */
export const line = graph(['plan', 'charge', 'notify', 'finish'], () => lineRun);

/** plan, three workers at once, join. */
export const sends = graph(['plan', 'worker', 'join'], () => sendsRun);

/** agent, tools, agent, … agent. */
export const loop = graph(['agent', 'tools'], (turns) => [
  loopStart,
  ...Array.from({ length: turns }, () => loopTurn).flat(),
  loopEnd,
]);

function graph(named: readonly string[], run: Graph['run']): Graph {
  const nodes = ['__start__', ...named];
  const triggers = named.map((node) => `branch:to:${node}`);
  const channels = ['draft', 'steps', '__start__', '__pregel_tasks', ...triggers];
  const channelOrder = jsonbOrder(channels).map(({ index }) => index);
  const seenOrder = jsonbOrder(['__input__', ...nodes]).map(({ index }) => index - 1);
  return { nodes, channels, channelOrder, seenOrder, run };
}

/** *Source*: PostgreSQL 15, `lengthCompareJsonbStringValue` in jsonb_util.c. */
function jsonbOrder(keys: readonly string[]): { key: string; index: number }[] {
  const byLength = keys.map((key, index) => ({ key, index }));
  return byLength.sort((a, b) => a.key.length - b.key.length || (a.key < b.key ? -1 : 1));
}
