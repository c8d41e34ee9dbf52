/**
 * What became of every run of the ledger? Each comes to exactly one class. Easy to get wrong: "running" in a ledger is
 * what somebody last wrote there, so silence is judged by the newest sign of the worker and of the thread together, and
 * a run of which nothing can tell is undetermined and never lost.
 */
import { assertNever } from '#analysis/model/bug.ts';
import { defaultLimits, type LedgerLimits, type LedgerRun } from '#analysis/model/ledger.ts';
import { newestTrace } from '#analysis/executions/activity.ts';
import type { Standing } from '#analysis/executions/standing.ts';
import type { ThreadFacts } from './facts.ts';
import type { JudgedRun, LedgerFacts, RunTrace } from './ledger-facts.ts';
import { ledgerTraces, type LedgerTraces } from './ledger-traces.ts';

/** What is judged by, the same for all runs of a thread. */
interface Bench {
  readonly standing: Standing;
  readonly hasCheckpoints: boolean;
  /** Rows could not be read, and any of them may be the newest. */
  readonly isDamaged: boolean;
  /** A lease holds the thread. */
  readonly isHeld: boolean;
  readonly nowMs: number | null;
  readonly limits: LedgerLimits;
  /** The newest row or effect of the thread; null when none tells. */
  readonly newestMs: number | null;
  /** Runs that keep later ones of the thread waiting. */
  readonly busy: readonly LedgerRun[];
}

type Verdict = Pick<JudgedRun, 'class' | 'because'>;

/** Judges the runs of a thread; null without a ledger. *Cost*: linear in rows, effects and runs but for a sort. */
export function ledgerFacts(
  facts: Pick<ThreadFacts, 'evidence' | 'options' | 'thread' | 'standing'>,
): LedgerFacts | null {
  const { evidence, options, standing } = facts;
  if (evidence.ledger == null) return null;
  const { runs } = evidence.ledger;
  const traces: LedgerTraces = ledgerTraces(facts, evidence.ledger);
  const nowMs = options.nowMs ?? null;
  const bench: Bench = {
    standing,
    hasCheckpoints: evidence.rows.checkpoints.length > 0,
    isDamaged: evidence.rows.damagedRows !== undefined,
    isHeld: isHeld(evidence.lease, nowMs),
    nowMs,
    limits: options.limits ?? defaultLimits,
    newestMs: newestTrace(evidence),
    busy: runs.filter(({ phase }) => phase === 'running' || phase === 'paused'),
  };
  const judged = runs.map((run): JudgedRun => {
    const trace = traces.of(run);
    return { run, trace, ...judge(run, trace, bench) };
  });
  return { runs: judged, unledgered: traces.unledgered };
}

/** Whether a lease holds its thread at a moment. */
export function isHeld(lease: ThreadFacts['evidence']['lease'], nowMs: number | null): boolean {
  return lease != null && (lease.expiresMs === null || nowMs === null || lease.expiresMs > nowMs);
}

function judge(run: LedgerRun, trace: RunTrace, bench: Bench): Verdict {
  switch (run.phase) {
    case 'succeeded':
      return trace.kind === 'none' && !bench.hasCheckpoints
        ? { class: 'vanished', because: 'succeeded, and its thread has no checkpoint at all' }
        : { class: 'ended', because: 'ended' };
    case 'cancelled':
      return { class: 'ended', because: 'was cancelled' };
    case 'failed':
      return isPoison(run, bench) ? poison(run) : { class: 'ended', because: 'failed' };
    case 'waiting':
    case 'running':
    case 'paused':
    case 'unsaid':
    case 'unknown':
      break;
    default:
      return assertNever(run.phase);
  }
  if (isPoison(run, bench)) return poison(run);
  if (bench.isHeld) return { class: 'held', because: 'has a thread that a lease holds' };
  if (run.phase === 'paused') return { class: 'paused', because: 'waits for an answer' };
  if (bench.isDamaged) return undetermined('rows of its thread could not be read');
  return trace.kind === 'none' ? judgeUnseen(run, bench) : judgeSeen(run, trace, bench);
}

function isPoison({ attempts }: LedgerRun, { limits }: Bench): boolean {
  return attempts !== null && attempts >= limits.attemptCap;
}

function poison({ attempts }: LedgerRun): Verdict {
  return { class: 'poison', because: `was begun ${String(attempts)} times and has not succeeded` };
}

/** A run of which nothing can be seen. */
function judgeUnseen(run: LedgerRun, { nowMs, limits, standing, busy }: Bench): Verdict {
  if (run.phase === 'unknown') return undetermined('the ledger gives it a status that is not known');
  if (nowMs === null) return undetermined('there is no moment to count its age to');
  // Whoever was heard of was accepted before.
  const acceptedMs = run.createdMs ?? run.heartbeatMs;
  if (acceptedMs === null) return undetermined('the ledger does not say when it was accepted');
  // A resumed run stores nothing before its first superstep ends; one with new input stores that at once.
  const resumes = standing.status !== 'terminal' && standing.status !== 'no-rows';
  const patienceMs = resumes ? Math.max(limits.vanishAfterMs, limits.stallAfterMs) : limits.vanishAfterMs;
  const ageMs = nowMs - acceptedMs;
  if (ageMs < patienceMs) return { class: 'waiting', because: 'was accepted a moment ago' };
  if (run.heartbeatMs !== null && nowMs - run.heartbeatMs < patienceMs)
    return { class: 'moving', because: 'has a worker that was heard of a moment ago' };
  if (run.phase === 'waiting' && busy.some((other) => isBefore(other, run)))
    return { class: 'waiting', because: 'waits for its turn behind an open run of its thread' };
  const since = run.createdMs === null ? 'was last heard of' : 'was accepted';
  return {
    class: 'vanished',
    because: `${since} ${spanText(ageMs)} before ${timeText(nowMs)}, and no checkpoint or effect of its thread can be its own`,
  };
}

/** A run that rows show, or may show. */
function judgeSeen(
  run: LedgerRun,
  trace: RunTrace,
  { nowMs, limits, standing, newestMs, busy }: Bench,
): Verdict {
  const cannotTell = trace.kind === 'open' ? trace.reason : null;
  if (run.phase === 'unsaid' || run.phase === 'unknown') {
    return cannotTell === null ? { class: 'shown', because: 'is shown by rows' } : undetermined(cannotTell);
  }
  if (run.phase === 'waiting' && cannotTell !== null) {
    const isYoung = nowMs !== null && run.createdMs !== null && nowMs - run.createdMs < limits.vanishAfterMs;
    if (isYoung || busy.some((other) => isBefore(other, run)))
      return { class: 'waiting', because: 'waits for its turn' };
    return undetermined(cannotTell);
  }
  if (standing.status === 'terminal') {
    if (cannotTell !== null) return undetermined(cannotTell);
    const since =
      newestMs === null || nowMs === null ? '' : `, its newest row ${spanText(nowMs - newestMs)} old`;
    return { class: 'ghost', because: `is ${said(run)} in the ledger, and its thread is terminal${since}` };
  }
  if (standing.status === 'interrupted' && cannotTell === null)
    return { class: 'paused', because: 'has a thread that waits for an answer' };
  if (nowMs === null) return { class: 'shown', because: 'is shown by rows' };
  const signs = [run.createdMs, run.heartbeatMs, newestMs].filter((sign) => sign !== null);
  if (signs.length === 0) return undetermined('neither ledger nor rows tell a time');
  const silentMs = nowMs - Math.max(...signs);
  if (silentMs < limits.stallAfterMs)
    return { class: 'moving', because: 'has shown a sign of life a moment ago' };
  return {
    class: 'stalled',
    because: `is ${said(run)} in the ledger, and neither its worker nor its thread has given a sign for ${spanText(silentMs)} up to ${timeText(nowMs)}`,
  };
}

function undetermined(because: string): Verdict {
  return { class: 'undetermined', because };
}

function isBefore(one: LedgerRun, other: LedgerRun): boolean {
  return one !== other && (one.createdMs ?? -Infinity) < (other.createdMs ?? Infinity);
}

function said({ status, phase }: LedgerRun): string {
  return status ?? phase;
}

const units = [
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['m', 60_000],
  ['s', 1_000],
] as const;

/** `3d`, `2h`, `15m`, `60s`: rounded down, in the largest unit of which there are two. */
function spanText(ms: number): string {
  const [unit, unitMs] = units.find(([, length]) => ms >= 2 * length) ?? (['s', 1_000] as const);
  return `${Math.max(0, Math.floor(ms / unitMs))}${unit}`;
}

function timeText(ms: number): string {
  // Beyond what Date can print there is no text; the number says it too.
  return Math.abs(ms) > 8.64e15 ? `${ms} ms` : new Date(ms).toISOString();
}
