/**
 * Which node does a task id belong to? Ids cannot be inverted, but the graph's names are few: every possible task of
 * a superstep is hashed and compared. A match is proof; no match says only that the guesses did not include it. Easy
 * to get wrong: a functional call and an error handler are hashed in the namespace of the task they came from, so that
 * task's id must be known first.
 */
import type { ChannelName, NodeName, TaskId } from '../model/identifiers.ts';
import {
  taskNamespace,
  type TaskIdFormula,
  type TaskIdHashes,
  type TaskOrigin,
  type TaskPlace,
} from './task-ids.ts';
import type { TaskPath } from './task-path.ts';
import { triggerSets } from './trigger-sets.ts';

/** What may have run on one checkpoint, as rows and channel names let one guess. */
export interface TaskCandidates {
  /** Usually one; more where the writer's version is not known. */
  readonly formulas: readonly TaskIdFormula[];
  /** Nodes and functional tasks; error handlers need not be named. */
  readonly nodes: readonly NodeName[];
  /** Node → the channels known to trigger it, besides `branch:to:<node>`, which is always tried. */
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

/** Ids computed at most for one checkpoint, about a tenth of a second. Forty nodes with 64 Sends need 3,000. */
export const hashBudget = 50_000;

/**
 * Looks for the tasks `wanted` of one checkpoint and stops when all are found. Likely origins come first: pulls, then
 * Sends, error handlers, and calls, of which those made by calls are guessed only from calls that were recognised.
 * *Cost*: at most `budget` hashes.
 */
export function recogniseTasks(
  hashes: TaskIdHashes,
  place: TaskPlace,
  candidates: TaskCandidates,
  wanted: ReadonlySet<TaskId>,
  budget: number = hashBudget,
): Recognition {
  return new Search(hashes, candidates, wanted, budget).run(place);
}

/** A task that may have called others, or failed. */
interface Guess {
  readonly place: TaskPlace;
  readonly node: NodeName;
  readonly id: TaskId;
  readonly path: TaskPath;
  readonly formula: TaskIdFormula;
}

/** `go on` unless everything is found or the budget is spent. */
type Progress = 'go on' | 'stop';

class Search {
  readonly #hashes: TaskIdHashes;
  readonly #candidates: TaskCandidates;
  readonly #wanted: ReadonlySet<TaskId>;
  readonly #budget: number;
  readonly #tasks = new Map<TaskId, RecognisedTask>();
  readonly #mayHandle: ReadonlySet<TaskId>;
  readonly #failed: Guess[] = [];
  readonly #callers: Guess[] = [];
  #hashed = 0;
  #exhausted = false;

  constructor(hashes: TaskIdHashes, candidates: TaskCandidates, wanted: ReadonlySet<TaskId>, budget: number) {
    this.#hashes = hashes;
    this.#candidates = candidates;
    this.#mayHandle = new Set(candidates.failed);
    this.#wanted = wanted;
    this.#budget = budget;
  }

  run(place: TaskPlace): Recognition {
    if (this.#planned(place) === 'go on' && this.#handlers() === 'go on') this.#calls();
    return { tasks: this.#tasks, hashed: this.#hashed, exhausted: this.#exhausted };
  }

  /** Pulls and Sends: what the checkpoint itself planned. */
  #planned(place: TaskPlace): Progress {
    const { nodes, triggers, sends } = this.#candidates;
    for (const node of nodes) {
      const path: TaskPath = ['__pregel_pull', node];
      for (const set of triggerSets(node, triggers.get(node) ?? [])) {
        if (this.#try(place, node, { kind: 'pull', triggers: set }, path) === 'stop') return 'stop';
      }
    }
    const count = typeof sends === 'number' ? sends : sends.length;
    for (let index = 0; index < count; index += 1) {
      const path: TaskPath = ['__pregel_push', index, false];
      const sent = typeof sends === 'number' ? nodes : sends.slice(index, index + 1);
      for (const node of sent) {
        if (this.#try(place, node, { kind: 'push', index }, path) === 'stop') return 'stop';
      }
    }
    return 'go on';
  }

  /** LangGraph names a node's handler `__error_handler__<node>`; one that was renamed is looked for among the nodes. */
  #handlers(): Progress {
    for (const failed of this.#failed) {
      const place = { ...failed.place, namespace: taskNamespace(failed.place, failed.node, failed.id) };
      for (const node of [`__error_handler__${failed.node}` as NodeName, ...this.#candidates.nodes]) {
        const origin: TaskOrigin = { kind: 'handler', failed: failed.id };
        if (this.#try(place, node, origin, failed.path, [failed.formula]) === 'stop') return 'stop';
      }
    }
    return 'go on';
  }

  /** A recognised call joins the callers, so the list grows while it is read. */
  #calls(): Progress {
    const { nodes, callsPerCaller } = this.#candidates;
    for (let at = 0; at < this.#callers.length; at += 1) {
      const caller = this.#callers[at];
      if (caller === undefined) break;
      const place = { ...caller.place, namespace: taskNamespace(caller.place, caller.node, caller.id) };
      for (let index = 0; index < callsPerCaller; index += 1) {
        const path: TaskPath = ['__pregel_push', caller.path, index, true];
        for (const node of nodes) {
          const origin: TaskOrigin = { kind: 'call', caller: caller.path, index };
          if (this.#try(place, node, origin, path, [caller.formula]) === 'stop') return 'stop';
        }
      }
    }
    return 'go on';
  }

  /** Hashes one candidate by each formula and notes what it turns out to be. */
  #try(
    place: TaskPlace,
    node: NodeName,
    origin: TaskOrigin,
    path: TaskPath,
    formulas: readonly TaskIdFormula[] = this.#candidates.formulas,
  ): Progress {
    for (const formula of formulas) {
      if (this.#tasks.size === this.#wanted.size) return 'stop';
      this.#exhausted = this.#hashed === this.#budget;
      if (this.#exhausted) return 'stop';
      this.#hashed += 1;
      const id = this.#hashes.taskId(formula, place, node, origin);
      if (id === null) continue;
      const guess: Guess = { place, node, id, path, formula };
      const isWanted = this.#wanted.has(id);
      if (isWanted) this.#tasks.set(id, { node, kind: origin.kind, formula });
      if (this.#mayHandle.has(id)) this.#failed.push(guess);
      const mayCall = origin.kind === 'pull' || origin.kind === 'push' || isWanted;
      if (this.#candidates.callsPerCaller > 0 && mayCall) this.#callers.push(guess);
    }
    return 'go on';
  }
}
