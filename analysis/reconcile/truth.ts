/**
 * What a thread is, because it was made so, and what a sweep told of it. Easy to get wrong: a status that is left open
 * is an answer of its own; it is neither a miss nor a false alarm, and a reaper that acts on it is the reaper's fault.
 */
import { assertNever } from '#analysis/model/bug.ts';
import type { ThreadReport } from '#analysis/model/report.ts';

/**
 * What was made. `abandoned`: its process was killed in mid-run. `breakpoint`: the graph stopped where it is made to.
 * `running`: a run is at work on it at the moment of the sweep.
 */
export const truths = [
  'terminal',
  'errored',
  'cancelled',
  'interrupted',
  'breakpoint',
  'abandoned',
  'running',
] as const;
/** One of {@link truths}. */
export type Truth = (typeof truths)[number];

/** What a sweep told. `unknown`: it left open what the thread is; `unseen`: it saw no row of it. */
export const answers = [
  'terminal',
  'errored',
  'cancelled',
  'interrupted',
  'abandoned',
  'running',
  'unknown',
  'unseen',
] as const;
/** One of {@link answers}. */
export type Answer = (typeof answers)[number];

/**
 * An audit's answer. A run that the ledger shows as stalled makes its thread abandoned: nobody works on it and
 * something is left to do, which is what the finding says.
 */
export function answerOf(report: Pick<ThreadReport, 'status' | 'statusReason' | 'findings'>): Answer {
  const { status, statusReason, findings } = report;
  switch (status) {
    case 'terminal':
    case 'errored':
    case 'cancelled':
    case 'interrupted':
    case 'abandoned':
      return status;
    case 'indeterminate':
      if (findings.some(({ kind }) => kind === 'stalled-run')) return 'abandoned';
      return statusReason?.cause === 'in-flight' ? 'running' : 'unknown';
    case 'no-rows':
      return 'unseen';
    default:
      return assertNever(status);
  }
}

/**
 * How an answer compares with the truth. `false-alarm`: called abandoned and is not. `missed`: abandoned and called
 * something else. `open`: left open, or not seen. `wrong`: any other thing that it is not.
 */
export type Judgement = 'right' | 'false-alarm' | 'missed' | 'open' | 'wrong';

/** Compares one answer with the truth. A thread at a static breakpoint is told as interrupted by an audit that knows. */
export function judge(truth: Truth, answer: Answer): Judgement {
  if (answer === 'unknown' || answer === 'unseen') return 'open';
  const right: Answer = truth === 'breakpoint' ? 'interrupted' : truth;
  if (answer === right) return 'right';
  if (answer === 'abandoned') return 'false-alarm';
  return truth === 'abandoned' ? 'missed' : 'wrong';
}
