/**
 * Which outcomes did the trials of one arm have, and how often? Only completed trials are counted; an aborted trial
 * says nothing about the scenario and is listed with its reason. A key is counted over the trials that report it,
 * which can be fewer than the completed ones (a fork's class exists only where there is a fork).
 */
import { invariant } from '#analysis/model/bug.ts';
import type {
  ArmSummary,
  OutcomeDistribution,
  OutcomeValue,
  Trial,
  ValueFrequency,
} from '#analysis/model/trial.ts';
import { compareOutcomeValues, outcomeKeyOrder } from './outcome-order.ts';
import { intervalOf, type IntervalChoice } from './proportion.ts';

/** How a summary is computed and listed. */
export interface SummaryOptions extends IntervalChoice {
  /** Nodes as the graph orders them; keys of other nodes follow by name. Absent: all by name. */
  readonly nodeOrder?: readonly string[];
}

/**
 * The running sums of one arm. It holds counts, not trials: its size grows with the number of distinct keys, values
 * and abort reasons alone, so a series of any length fits. Tallies of parts of a series merge to the tally of the
 * whole, in any order.
 */
export class ArmTally {
  readonly arm: string;
  readonly #valueCounts = new Map<string, Map<OutcomeValue, number>>();
  readonly #reasonCounts = new Map<string, number>();
  #completed = 0;
  #aborted = 0;
  #overlapped = 0;
  #overlapKnown = 0;

  constructor(arm: string) {
    this.arm = arm;
  }

  /** Counts one finished trial. Fails: a bug when an outcome is not a finite number, text or boolean. */
  add(trial: Trial): void {
    if (trial.kind === 'aborted') {
      this.#aborted += 1;
      increase(this.#reasonCounts, trial.reason, 1);
      return;
    }
    this.#completed += 1;
    if (trial.overlapped !== null) this.#overlapKnown += 1;
    if (trial.overlapped === true) this.#overlapped += 1;
    for (const [key, value] of trial.outcomes) {
      invariant(typeof value !== 'number' || Number.isFinite(value), `outcome ${key} is no finite number`);
      increase(this.#countsOf(key), value, 1);
    }
  }

  /** Adds another tally of the same arm; that tally is left as it is. */
  merge(other: ArmTally): void {
    invariant(other.arm === this.arm, 'only tallies of one arm can be merged');
    this.#completed += other.#completed;
    this.#aborted += other.#aborted;
    this.#overlapped += other.#overlapped;
    this.#overlapKnown += other.#overlapKnown;
    for (const [reason, count] of other.#reasonCounts) increase(this.#reasonCounts, reason, count);
    for (const [key, counts] of other.#valueCounts) {
      for (const [value, count] of counts) increase(this.#countsOf(key), value, count);
    }
  }

  /**
   * What has been counted so far. Keys in the order of {@link outcomeKeyOrder}; values most frequent first, then by
   * {@link compareOutcomeValues}; abort reasons most frequent first, then by text. `overlapped` is null when no
   * completed trial could say. Cost: one interval per distinct (key, value).
   */
  summary(options: SummaryOptions): ArmSummary {
    const compareKeys = outcomeKeyOrder(options.nodeOrder ?? []);
    return {
      arm: this.arm,
      trials: this.#completed + this.#aborted,
      completed: this.#completed,
      aborted: this.#aborted,
      abortReasons: [...this.#reasonCounts]
        .sort(([left, n], [right, m]) => m - n || compareOutcomeValues(left, right))
        .map(([reason, count]) => ({ reason, count })),
      overlapped: this.#overlapKnown === 0 ? null : { count: this.#overlapped, of: this.#overlapKnown },
      outcomes: [...this.#valueCounts]
        .sort(([left], [right]) => compareKeys(left, right))
        .map(([key, counts]) => distributionOf(key, counts, options)),
    };
  }

  #countsOf(key: string): Map<OutcomeValue, number> {
    let counts = this.#valueCounts.get(key);
    if (counts === undefined) {
      counts = new Map<OutcomeValue, number>();
      this.#valueCounts.set(key, counts);
    }
    return counts;
  }
}

/** The summary of trials that are already at hand; for long series feed an {@link ArmTally} instead. */
export function summariseArm(arm: string, trials: Iterable<Trial>, options: SummaryOptions): ArmSummary {
  const tally = new ArmTally(arm);
  for (const trial of trials) tally.add(trial);
  return tally.summary(options);
}

function distributionOf(
  key: string,
  counts: ReadonlyMap<OutcomeValue, number>,
  choice: IntervalChoice,
): OutcomeDistribution {
  let of = 0;
  for (const count of counts.values()) of += count;
  const values: ValueFrequency[] = [...counts]
    .sort(([left, n], [right, m]) => m - n || compareOutcomeValues(left, right))
    .map(([value, count]) => ({ value, count, of, interval: intervalOf(count, of, choice) }));
  return { key, values };
}

function increase<Key>(counts: Map<Key, number>, key: Key, by: number): void {
  counts.set(key, (counts.get(key) ?? 0) + by);
}
