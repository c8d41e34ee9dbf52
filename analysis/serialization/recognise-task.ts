/**
 * Which node does a task id belong to? Ids cannot be inverted, but the graph's names are few: every possible task of
 * a superstep is hashed and compared. A match is proof; no match says only that the guesses did not include it. Easy
 * to get wrong: the guesses multiply (subsets of triggers, callers times calls), so they are bounded.
 */
import type { ChannelName, NodeName, TaskId } from '../model/identifiers.ts';
import type { TaskIdFormula, TaskIdHashes, TaskOrigin, TaskPlace } from './task-ids.ts';
import type { TaskPath } from './task-path.ts';

/** What may have run on one checkpoint, as rows and channel names let one guess. */
export interface TaskCandidates {
  /** Usually one; more where the writer's version is not known. */
  readonly formulas: readonly TaskIdFormula[];
  /** Nodes, functional tasks and error handlers. */
  readonly nodes: readonly NodeName[];
  /** Node → the channels known to trigger it. A node that is missing here is tried with none but `branch:to:<node>`. */
  readonly triggers: ReadonlyMap<NodeName, readonly ChannelName[]>;
  /** The Send list where it is readable, else only how many Sends there may be (every node is tried at each index). */
  readonly sends: readonly NodeName[] | number;
  /** How many `task()` calls one caller may have made; 0 where the graph makes none. */
  readonly callsPerCaller: number;
  /** Tasks that failed on this checkpoint: each may have started an error handler. */
  readonly failed: readonly TaskId[];
}

/** A task whose id was recomputed. */
export interface RecognisedTask {
  readonly node: NodeName;
  readonly kind: TaskOrigin['kind'];
  readonly formula: TaskIdFormula;
}

/** The matches and what they cost. */
export interface Recognition {
  readonly tasks: ReadonlyMap<TaskId, RecognisedTask>;
  /** Ids computed. */
  readonly hashed: number;
  /** True when the budget ended the search, so that a missing id may still have been a candidate. */
  readonly exhausted: boolean;
}

/** More triggers than this on one node are tried one by one, all together and in pairs, not in every subset. */
const triggersInAllSubsets = 6;

/** Ids computed at most for one checkpoint, about a tenth of a second. Forty nodes with 64 Sends need 3,000. */
export const hashBudget = 50_000;

/**
 * Looks for the tasks `wanted` of one checkpoint and stops when all are found. Likely origins come first: pulls, then
 * Sends, error handlers and calls. *Cost*: at most `budget` hashes.
 */
export function recogniseTasks(
  hashes: TaskIdHashes,
  place: TaskPlace,
  candidates: TaskCandidates,
  wanted: ReadonlySet<TaskId>,
  budget: number = hashBudget,
): Recognition {
  const tasks = new Map<TaskId, RecognisedTask>();
  let hashed = 0;
  for (const [node, origin] of origins(candidates)) {
    for (const formula of candidates.formulas) {
      if (tasks.size === wanted.size) return { tasks, hashed, exhausted: false };
      if (hashed === budget) return { tasks, hashed, exhausted: true };
      hashed += 1;
      const id = hashes.taskId(formula, place, node, origin);
      if (id !== null && wanted.has(id)) tasks.set(id, { node, kind: origin.kind, formula });
    }
  }
  return { tasks, hashed, exhausted: false };
}

/** Every (node, origin) worth trying, lazily, in order of likelihood. */
function* origins(candidates: TaskCandidates): Generator<readonly [NodeName, TaskOrigin]> {
  const { nodes, triggers, sends, failed } = candidates;
  for (const node of nodes) {
    for (const set of triggerSets(node, triggers.get(node) ?? []))
      yield [node, { kind: 'pull', triggers: set }];
  }
  if (typeof sends === 'number') {
    for (let index = 0; index < sends; index += 1) {
      for (const node of nodes) yield [node, { kind: 'push', index }];
    }
  } else {
    for (const [index, node] of sends.entries()) yield [node, { kind: 'push', index }];
  }
  for (const task of failed) for (const node of nodes) yield [node, { kind: 'handler', failed: task }];
  yield* calls(candidates);
}

/**
 * The trigger lists a pull's id may be made of, sorted inside, as LangGraph sorts them: each channel alone first (JS),
 * then all together (Python, older JS), then the rest.
 */
function* triggerSets(node: NodeName, known: readonly ChannelName[]): Generator<readonly ChannelName[]> {
  const channels = [...new Set([...known, `branch:to:${node}` as ChannelName])].sort(byCodeUnit);
  for (const channel of channels) yield [channel];
  if (channels.length === 1) return;
  yield channels;
  if (channels.length === 2) return;
  if (channels.length > triggersInAllSubsets) {
    for (const [at, one] of channels.entries()) {
      for (const other of channels.slice(at + 1)) yield [one, other];
    }
    return;
  }
  for (let mask = 1; mask < 2 ** channels.length - 1; mask += 1) {
    const subset = channels.filter((_, bit) => (mask >> bit) & 1);
    if (subset.length > 1) yield subset;
  }
}

/** Calls made from a node, and calls made from those calls; deeper nesting is not guessed. */
function* calls(candidates: TaskCandidates): Generator<readonly [NodeName, TaskOrigin]> {
  const { nodes, callsPerCaller } = candidates;
  const outer: TaskPath[] = nodes.map((node) => ['__pregel_pull', node]);
  for (const caller of outer) yield* callsFrom(caller, nodes, callsPerCaller);
  for (const caller of outer) {
    for (let index = 0; index < callsPerCaller; index += 1) {
      yield* callsFrom(['__pregel_push', caller, index, true], nodes, callsPerCaller);
    }
  }
}

function* callsFrom(
  caller: TaskPath,
  nodes: readonly NodeName[],
  count: number,
): Generator<readonly [NodeName, TaskOrigin]> {
  for (let index = 0; index < count; index += 1) {
    for (const node of nodes) yield [node, { kind: 'call', caller, index }];
  }
}

/** Python sorts text by code point, JS by code unit; trigger names that tell the two apart do not occur. */
function byCodeUnit(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
