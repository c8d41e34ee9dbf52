/**
 * How often did a sweep take a live or paused thread for an abandoned one, and how many abandoned ones did it not see?
 * Easy to get wrong: each number has a denominator of its own; a false alarm is counted over the threads that somebody
 * works on or waits for, a miss over the abandoned ones, and what was left open is in neither.
 */
import type { Proportion } from '#analysis/model/interval.ts';
import { proportionOf, type IntervalChoice } from '#analysis/statistics/proportion.ts';
import { answers, judge, truths, type Answer, type Judgement, type Truth } from './truth.ts';

/** One thread as it is and as it was told. */
export interface JudgedThread {
  /** Threads made alike carry one name. */
  readonly kind: string;
  readonly truth: Truth;
  readonly answer: Answer;
}

/** One row of the matrix: all threads of one truth. */
export interface ConfusionRow {
  readonly truth: Truth;
  readonly threads: number;
  /** Answers that occurred, in the order of {@link answers}. */
  readonly told: ReadonlyMap<Answer, number>;
}

/** What a sweep is worth. A proportion is null where no thread is in its denominator. */
export interface SweepScore {
  /** In the order of {@link truths}; truths without a thread are absent. */
  readonly matrix: readonly ConfusionRow[];
  /** The same by kind, in the order in which kinds came. */
  readonly kinds: readonly { readonly kind: string; readonly told: ReadonlyMap<Answer, number> }[];
  /** Live and paused threads (running, interrupted, breakpoint) that were called abandoned. */
  readonly falseAlarms: Proportion | null;
  /** Ended by its own side (errored, cancelled, terminal) and called abandoned: nobody works on these either. */
  readonly endedCalledAbandoned: Proportion | null;
  /** Abandoned threads that were called so. */
  readonly found: Proportion | null;
  /** Abandoned threads that were called something else. */
  readonly missed: Proportion | null;
  /** Abandoned threads that were left open. */
  readonly abandonedLeftOpen: Proportion | null;
  /** All threads that were left open. */
  readonly leftOpen: Proportion | null;
  /** All threads that were told as what they are. */
  readonly right: Proportion | null;
}

const needed: ReadonlySet<Truth> = new Set(['running', 'interrupted', 'breakpoint']);
const ended: ReadonlySet<Truth> = new Set(['terminal', 'errored', 'cancelled']);

/** Scores one sweep. *Cost*: linear in the threads. *Fails*: a bug on a level out of range. */
export function scoreSweep(threads: readonly JudgedThread[], choice: IntervalChoice): SweepScore {
  const share = (
    among: (thread: JudgedThread) => boolean,
    is: (judgement: Judgement) => boolean,
  ): Proportion | null => {
    const base = threads.filter(among);
    const count = base.filter(({ truth, answer }) => is(judge(truth, answer))).length;
    return proportionOf(count, base.length, choice);
  };
  const isAbandoned = ({ truth }: JudgedThread): boolean => truth === 'abandoned';
  const kinds = [...new Set(threads.map(({ kind }) => kind))];
  return {
    matrix: truths.flatMap((truth) => {
      const told = tally(threads.filter((thread) => thread.truth === truth));
      const sum = [...told.values()].reduce((total, count) => total + count, 0);
      return sum === 0 ? [] : [{ truth, threads: sum, told }];
    }),
    kinds: kinds.map((kind) => ({ kind, told: tally(threads.filter((thread) => thread.kind === kind)) })),
    falseAlarms: share(
      ({ truth }) => needed.has(truth),
      (judgement) => judgement === 'false-alarm',
    ),
    endedCalledAbandoned: share(
      ({ truth }) => ended.has(truth),
      (judgement) => judgement === 'false-alarm',
    ),
    found: share(isAbandoned, (judgement) => judgement === 'right'),
    missed: share(isAbandoned, (judgement) => judgement === 'missed'),
    abandonedLeftOpen: share(isAbandoned, (judgement) => judgement === 'open'),
    leftOpen: share(
      () => true,
      (judgement) => judgement === 'open',
    ),
    right: share(
      () => true,
      (judgement) => judgement === 'right',
    ),
  };
}

function tally(threads: readonly JudgedThread[]): ReadonlyMap<Answer, number> {
  const counts = new Map<Answer, number>();
  for (const answer of answers) {
    const count = threads.filter((thread) => thread.answer === answer).length;
    if (count > 0) counts.set(answer, count);
  }
  return counts;
}
