/**
 * One checkpoint of a generated thread and how the next follows from it, as LangGraph's loop makes them. Easy to get
 * wrong: a consumed trigger gets the superstep's new version too although its value is gone, and an input that
 * interrupts a run marks the tasks it drops as seen without running them.
 */
import { channel, triggerOf, type Graph, type Superstep } from './graphs.ts';

/** A checkpoint row before it is text. It does not hold its parent, so that a thread at work holds one row. */
export interface StoryRow {
  readonly id: string;
  /** Null: a root. */
  readonly parentId: string | null;
  /** `metadata.step`. */
  readonly step: number;
  /** From the dump's first moment. */
  readonly timeMs: number;
  /** Which of the thread's runs made it, from 0. */
  readonly run: number;
  /** The superstep that led here; null for an input. */
  readonly superstep: Superstep | null;
  /** The counter of the version that this row minted, which is the greatest. */
  readonly counter: number;
  /** Version text by channel number; '' while the channel has none. */
  readonly versions: readonly string[];
  /** By node number the version of its trigger that it saw, `{}` after a Send alone; '' before it ran. */
  readonly seen: readonly string[];
  /** Channels to which this row gave its new version, ascending by number. */
  readonly changed: readonly number[];
  /** The node whose trigger is set; null: none. */
  readonly waiting: number | null;
  /** Sends that wait. */
  readonly sends: number;
  /** Names of the nodes that ran on the way here. */
  readonly steps: Steps;
  /** Which of the prepared values the channel `draft` holds. */
  readonly draft: number;
}

/** The list in the channel `steps`, its items serialized one after the other as hexadecimal text. */
export interface Steps {
  readonly count: number;
  readonly items: string;
}

/** What identifies a new row. */
export interface Made {
  readonly id: string;
  readonly timeMs: number;
  readonly run: number;
  readonly draft: number;
  /** The version it mints. */
  readonly version: string;
}

const noSteps: Steps = { count: 0, items: '' };

/** The row of a new input at `parent`; null: of a thread's first. */
export function withInput(graph: Graph, parent: StoryRow | null, made: Made): StoryRow {
  const versions = parent?.versions.slice() ?? graph.channels.map(() => '');
  const seen = parent?.seen.slice() ?? graph.nodes.map(() => '');
  const changed: number[] = [channel.start];
  const dropped = parent?.waiting ?? null;
  if (parent !== null && dropped !== null) {
    const trigger = triggerOf(dropped);
    seen[dropped] = parent.versions[trigger] ?? '';
    versions[trigger] = made.version;
    if (trigger !== channel.start) changed.push(trigger);
  }
  versions[channel.start] = made.version;
  return {
    id: made.id,
    parentId: parent?.id ?? null,
    step: parent === null ? -1 : parent.step + 1,
    timeMs: made.timeMs,
    run: made.run,
    superstep: null,
    counter: (parent?.counter ?? 0) + 1,
    versions,
    seen,
    changed,
    waiting: 0,
    sends: 0,
    steps: parent?.steps ?? noSteps,
    draft: made.draft,
  };
}

/** The row after a superstep; `item` is a node's name as {@link Steps} holds it, after so many others. */
export function withSuperstep(
  parent: StoryRow,
  superstep: Superstep,
  made: Made,
  item: (node: number, count: number) => string,
): StoryRow {
  const { node, pushed, changed } = superstep;
  const versions = parent.versions.slice();
  for (const number of changed) versions[number] = made.version;
  const seen = parent.seen.slice();
  if (pushed === 0) seen[node] = parent.versions[triggerOf(node)] ?? '';
  else if (seen[node] === '') seen[node] = '{}';
  return {
    id: made.id,
    parentId: parent.id,
    step: parent.step + 1,
    timeMs: made.timeMs,
    run: made.run,
    superstep,
    counter: parent.counter + 1,
    versions,
    seen,
    changed,
    waiting: superstep.next,
    sends: superstep.sends,
    steps: appended(parent.steps, executions(superstep), node, item),
    draft: pushed > 0 ? parent.draft : made.draft,
  };
}

/** How often a superstep ran its node; `__start__` is none that counts. */
export function executions({ node, pushed }: Superstep): number {
  return node === 0 ? 0 : Math.max(1, pushed);
}

function appended(
  { count, items }: Steps,
  ran: number,
  node: number,
  item: (node: number, count: number) => string,
): Steps {
  let text = items;
  for (let more = 0; more < ran; more += 1) text += item(node, count + more);
  return { count: count + ran, items: text };
}
