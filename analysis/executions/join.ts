/**
 * Joins the executions of an effect log to the edges that committed them. The key is (namespace, parent checkpoint,
 * task, run): racing workers share the first three. Under exit durability the parents a node saw never exist as rows;
 * there the run and the node find the run's one compacted edge. Easy to get wrong: a resumed run commits what an
 * earlier run executed, so the run of an edge need not be the run of the effect.
 */
import { getOrMake, pushTo } from '#analysis/model/maps.ts';
import { rootNamespace, type RunToken } from '#analysis/model/identifiers.ts';
import { childrenOf, noParent, rowAt } from '#analysis/lineage/tree.ts';
import { consumedInput } from '#analysis/rows/versions-seen.ts';
import { reentered } from '#analysis/rows/re-entry.ts';
import { idTimeMs } from '#analysis/rows/id-time.ts';
import type { NamespaceAccount, ThreadAccount } from './account.ts';
import type { LoggedExecution } from './logged.ts';

/**
 * How an execution found its edge: `exact` by parent, task and run; `task` by parent and task, the run unknown or
 * another's; `run` by the run's compacted edge; `time` by the edge that ended next.
 */
export type JoinMethod = 'exact' | 'task' | 'run' | 'time';

/** One execution and the edge that committed it. */
export interface Joined {
  readonly execution: LoggedExecution;
  readonly account: NamespaceAccount;
  /** Index of the edge's child in the account's tree. */
  readonly child: number;
  readonly method: JoinMethod;
}

/** The join of one thread. */
export interface Join {
  readonly joined: readonly Joined[];
  readonly unjoined: readonly LoggedExecution[];
}

/** Joins all executions of a thread. *Cost*: linear but for threads with compacted edges. */
export function joinLog(thread: ThreadAccount, executions: readonly LoggedExecution[]): Join {
  const joined: Joined[] = [];
  const slots = new Slots();
  const later: LoggedExecution[] = [];
  for (const execution of executions) {
    const found = exactEdge(thread, execution, slots);
    if (found === null) later.push(execution);
    else joined.push(found);
  }
  const phantoms: LoggedExecution[] = [];
  const placeless: LoggedExecution[] = [];
  const unjoined: LoggedExecution[] = [];
  // The latest execution of a task is the one whose writes a later row can have committed.
  later.sort((a, b) => endedMs(b) - endedMs(a));
  for (const execution of later) {
    const found = sharedEdge(thread, execution, slots);
    if (found !== null) joined.push(found);
    else if (execution.effects[0].parent === null) placeless.push(execution);
    else if (place(thread, execution) === null) phantoms.push(execution);
    else unjoined.push(execution);
  }
  for (const execution of placeless.reverse()) {
    const found = nextEdge(thread, execution, slots);
    if (found !== null) joined.push(found);
    else phantoms.push(execution);
  }
  const compacted = compactedEdges(thread);
  const chosen = compacted.length === 0 ? new Map<string, Compacted>() : runsByTime(compacted, phantoms);
  for (const execution of phantoms) {
    const edge = compactedEdge(execution, compacted, chosen);
    if (edge === null) unjoined.push(execution);
    else joined.push({ execution, account: edge.account, child: edge.child, method: edge.method });
  }
  return { joined, unjoined };
}

/**
 * Which (edge, node) places are taken; a superstep commits each of its tasks once. A compacted edge shows a node and not
 * how often, so there the task itself is what can be taken once.
 */
class Slots {
  private readonly left = new Map<NamespaceAccount, Map<string, number>>();
  private readonly tasks = new Map<NamespaceAccount, Set<string>>();

  take(account: NamespaceAccount, child: number, execution: LoggedExecution): boolean {
    const edge = account.edges[child];
    if (edge?.kind === 'compacted') {
      return edge.tasks.includes(execution.node) && this.takeTask(account, child, execution);
    }
    const counts = getOrMake(this.left, account, () => new Map<string, number>());
    const key = `${child} ${execution.node}`;
    const left = counts.get(key) ?? edge?.tasks.filter((node) => node === execution.node).length ?? 0;
    if (left <= 0) return false;
    counts.set(key, left - 1);
    return true;
  }

  /** A record that does not name its task stands for itself. */
  private takeTask(account: NamespaceAccount, child: number, execution: LoggedExecution): boolean {
    const { task } = execution.effects[0];
    if (task === null) return true;
    const taken = getOrMake(this.tasks, account, () => new Set<string>());
    const key = `${child} ${task}`;
    if (taken.has(key)) return false;
    taken.add(key);
    return true;
  }

  isFree(account: NamespaceAccount, child: number, execution: LoggedExecution): boolean {
    const tasks = account.edges[child]?.tasks.filter((node) => node === execution.node).length ?? 0;
    return (this.left.get(account)?.get(`${child} ${execution.node}`) ?? tasks) > 0;
  }
}

interface Place {
  readonly account: NamespaceAccount;
  readonly at: number;
}

/** The row an execution was planned at; null when it is absent or the log does not say. */
export function place(thread: ThreadAccount, execution: LoggedExecution): Place | null {
  const [effect] = execution.effects;
  if (effect.parent === null) return null;
  // A functional call's own namespace lies below the one whose row planned it.
  const named =
    effect.namespace === null ? null : placeIn(thread.byName.get(effect.namespace), effect.parent);
  if (named !== null) return named;
  for (const account of thread.namespaces) {
    const found = placeIn(account, effect.parent);
    if (found !== null) return found;
  }
  return null;
}

function placeIn(
  account: NamespaceAccount | undefined,
  parent: Parameters<NamespaceAccount['find']>[0],
): Place | null {
  const at = account?.find(parent);
  return account === undefined || at === undefined ? null : { account, at };
}

/** Children of a row that can have committed tasks planned there. */
function committing({ account, at }: Place): number[] {
  const parent = rowAt(account.tree, at);
  return [...childrenOf(account.tree, at)].filter((child) => {
    const edge = account.edges[child];
    if (edge === undefined || edge.tasks.length === 0) return false;
    // A compacted run that began with new input discarded what had been planned at its parent.
    return edge.kind !== 'compacted' || !consumedInput(parent, rowAt(account.tree, child));
  });
}

function exactEdge(thread: ThreadAccount, execution: LoggedExecution, slots: Slots): Joined | null {
  const { run } = execution.effects[0];
  const found = place(thread, execution);
  if (found === null || run === null) return null;
  for (const child of committing(found)) {
    if (rowAt(found.account.tree, child).run !== run) continue;
    if (slots.take(found.account, child, execution)) {
      return { execution, account: found.account, child, method: 'exact' };
    }
  }
  return null;
}

/** An edge of an unknown run, or of a run that resumed and committed what this execution had stored. */
function sharedEdge(thread: ThreadAccount, execution: LoggedExecution, slots: Slots): Joined | null {
  const found = place(thread, execution);
  if (found === null) return null;
  const { account, at } = found;
  const { run } = execution.effects[0];
  const ended = execution.effects[0].wallMs;
  const children = committing(found);
  // Latest first: executions come latest first too, so each finds the edge that ended soonest after it.
  for (const child of children.reverse()) {
    const row = rowAt(account.tree, child);
    const foreign = run === null || row.run === null;
    if (!foreign && !reentered(rowAt(account.tree, at), row)) continue;
    const made = idTimeMs(row.id);
    // Clocks of one machine agree to the millisecond; a row cannot commit what ended after it was made.
    if (foreign && children.length > 1 && ended !== null && made !== null && ended > made + 1) continue;
    if (slots.take(account, child, execution)) return { execution, account, child, method: 'task' };
  }
  return null;
}

/** Without a parent: the first edge after the effect that still lacks an execution of its node. */
function nextEdge(thread: ThreadAccount, execution: LoggedExecution, slots: Slots): Joined | null {
  const { namespace, wallMs } = execution.effects[0];
  let best: Place | null = null;
  let bestMs = Infinity;
  for (const account of thread.namespaces) {
    if (namespace !== null && namespace !== account.namespace) continue;
    for (const [at, edge] of account.edges.entries()) {
      if (edge.kind !== 'superstep' || !slots.isFree(account, at, execution)) continue;
      const made = idTimeMs(rowAt(account.tree, at).id) ?? Infinity;
      if ((wallMs !== null && wallMs > made + 1) || (best !== null && made >= bestMs)) continue;
      best = { account, at };
      bestMs = made;
    }
  }
  if (best === null || !slots.take(best.account, best.at, execution)) return null;
  return { execution, account: best.account, child: best.at, method: 'time' };
}

interface Compacted {
  readonly account: NamespaceAccount;
  readonly child: number;
  readonly run: RunToken | null;
  readonly fromStep: number;
  readonly toStep: number;
  /** When the row was written, Unix ms; null when it does not say. */
  readonly writtenMs: number | null;
  readonly method: JoinMethod;
}

function compactedEdges(thread: ThreadAccount): Compacted[] {
  const found: Compacted[] = [];
  for (const account of thread.namespaces) {
    account.edges.forEach((edge, child) => {
      if (edge.kind !== 'compacted') return;
      const row = rowAt(account.tree, child);
      const parent = account.tree.parentOf[child] ?? noParent;
      found.push({
        account,
        child,
        run: row.run,
        fromStep: parent < 0 ? -2 : (rowAt(account.tree, parent).step ?? -2),
        toStep: row.step ?? 0,
        writtenMs: row.timestamp === null ? null : Date.parse(row.timestamp),
        method: 'run',
      });
    });
  }
  return found;
}

function fits(execution: LoggedExecution, edge: Compacted): boolean {
  const { namespace, step } = execution.effects[0];
  if ((namespace ?? rootNamespace) !== edge.account.namespace) return false;
  if (step !== null && (step <= edge.fromStep || step > edge.toStep)) return false;
  return edge.account.edges[edge.child]?.tasks.includes(execution.node) === true;
}

function compactedEdge(
  execution: LoggedExecution,
  edges: readonly Compacted[],
  byTime: ReadonlyMap<string, Compacted>,
): Compacted | null {
  const { run } = execution.effects[0];
  for (const edge of edges) if (run !== null && edge.run === run && fits(execution, edge)) return edge;
  const chosen = run === null ? undefined : byTime.get(run);
  return chosen !== undefined && fits(execution, chosen) ? { ...chosen, method: 'time' } : null;
}

/** Rows without a run token: each run of the log gets the compacted row written next after its last fitting effect. */
function runsByTime(
  edges: readonly Compacted[],
  phantoms: readonly LoggedExecution[],
): Map<string, Compacted> {
  const free = new Set(edges.filter((edge) => edge.run === null));
  const runs = new Map<string, LoggedExecution[]>();
  for (const execution of phantoms) {
    const { run } = execution.effects[0];
    if (run !== null) pushTo(runs, run, execution);
  }
  const chosen = new Map<string, Compacted>();
  const ordered = [...runs].sort((a, b) => lastEnd(a[1]) - lastEnd(b[1]) || (a[0] < b[0] ? -1 : 1));
  for (const [run, executions] of ordered) {
    let best: Compacted | null = null;
    for (const edge of free) {
      const fitting = executions.filter((execution) => fits(execution, edge));
      if (fitting.length === 0 || edge.writtenMs === null || lastEnd(fitting) > edge.writtenMs + 1) continue;
      if (best === null || edge.writtenMs < (best.writtenMs ?? Infinity)) best = edge;
    }
    if (best === null) continue;
    free.delete(best);
    chosen.set(run, best);
  }
  return chosen;
}

function endedMs(execution: LoggedExecution): number {
  return execution.effects[0].wallMs ?? 0;
}

function lastEnd(executions: readonly LoggedExecution[]): number {
  return Math.max(...executions.map(endedMs));
}
