/**
 * Where a thread stands, beyond what its rows can tell: who holds it, where the graph is made to stop, how lately it
 * moved. Easy to get wrong: that nobody holds a thread does not make it abandoned while it may wait at a breakpoint,
 * and it may wait at one for as long as nobody has said which there are.
 */
import type { NodeName } from '#analysis/model/identifiers.ts';
import { rootNamespace } from '#analysis/model/identifiers.ts';
import type { StatusReason, ThreadStatus } from '#analysis/model/report.ts';
import { newestSign } from '#analysis/executions/activity.ts';
import type { Standing } from '#analysis/executions/standing.ts';
import { headOf } from '#analysis/lineage/head.ts';
import { rowAt } from '#analysis/lineage/tree.ts';
import { listText } from './found.ts';
import type { ThreadFacts } from './facts.ts';
import { isHeld } from './ledger-runs.ts';

type Known = Pick<ThreadFacts, 'evidence' | 'options' | 'thread' | 'ledger'>;

/**
 * Narrows `abandoned` and `indeterminate`; the other statuses rest on stored outcomes, which nothing outside the rows
 * can take back. *Cost*: linear in the rows where an age is asked for, else constant.
 */
export function narrowStanding(standing: Standing, known: Known): Standing {
  if (standing.status !== 'abandoned' && standing.status !== 'indeterminate') return standing;
  const open = atWork(known) ?? tooYoung(known);
  if (open !== null) return narrowed(standing, 'indeterminate', open);
  // A superstep that stopped half-way is at no breakpoint; and what cannot be read may leave nothing to do.
  if (standing.status === 'abandoned' || standing.because !== null) return standing;
  return betweenSteps(standing, known);
}

function narrowed(standing: Standing, status: ThreadStatus, reason: StatusReason): Standing {
  return { ...standing, status, because: reason.because, narrowed: reason };
}

function atWork({ evidence, options, ledger }: Known): StatusReason | null {
  if (isHeld(evidence.lease, options.nowMs ?? null)) {
    return { cause: 'in-flight', because: 'a lease holds the thread, so a run is at work on it' };
  }
  const moving = ledger?.runs.find((judged) => judged.class === 'moving');
  if (moving === undefined || moving.run.heartbeatMs === null) return null;
  return { cause: 'in-flight', because: `the ledger has heard of run ${moving.run.run} a moment ago` };
}

function tooYoung({ evidence, options: { nowMs, minAgeMs } }: Known): StatusReason | null {
  if (minAgeMs === undefined || nowMs == null) return null;
  const signMs = newestSign(evidence);
  if (signMs === null) {
    return { cause: 'undated', because: 'no row tells when the thread last moved, so it may be running' };
  }
  if (nowMs - signMs >= minAgeMs) return null;
  const seconds = Math.max(0, Math.floor((nowMs - signMs) / 1000));
  return { cause: 'young', because: `the thread moved ${seconds}s ago and may be running` };
}

/** The head is whole, something is due, and nothing of it has begun. */
function betweenSteps(standing: Standing, known: Known): Standing {
  const { evidence, options, thread } = known;
  const root = thread.byName.get(rootNamespace);
  if (root === undefined) return standing;
  const head = headOf(root.tree);
  const isInput = rowAt(root.tree, head).source === 'input' && standing.next.every((node) => node === start);
  const { breakpoints } = options;
  if (!isInput && breakpoints !== undefined) {
    const names = new Set<string>(breakpoints);
    const stops = (nodes: readonly NodeName[]): readonly NodeName[] =>
      nodes.filter((node) => node !== start && (names.has(node) || names.has(everyNode)));
    const before = stops(standing.next);
    const after = stops(root.edges[head]?.tasks ?? []);
    if (before.length > 0 || after.length > 0) {
      const where =
        before.length > 0 ? `${listText(before)} is due` : `${listText([...new Set(after)])} has run`;
      const because = `${where}, and the graph is made to stop there`;
      return narrowed(standing, 'interrupted', { cause: 'breakpoint', because });
    }
  }
  if (evidence.lease === undefined) return standing;
  if (!isInput && breakpoints === undefined) {
    return { ...standing, because: 'no lease holds the thread; it may wait at a static breakpoint' };
  }
  const what = isInput
    ? 'its input was never taken up'
    : `${listText(standing.next)} is due at no breakpoint`;
  const because = `${what}, and no lease holds the thread`;
  return narrowed(standing, 'abandoned', { cause: 'unheld', because });
}

const start = '__start__';
/** LangGraph's own word for all nodes, in interrupt_before and interrupt_after. */
const everyNode = '*';
