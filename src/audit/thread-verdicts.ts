/** Verdicts, totals and findings summed over threads: what every report of many threads begins with. */
import { addToTotals, emptyTotals, mergeTotals } from '#analysis/analyse.ts';
import type { Verdict } from '#analysis/model/finding.ts';
import type { NodeName } from '#analysis/model/identifiers.ts';
import type { JoinCounts, ThreadReport, Totals } from '#analysis/model/report.ts';
import { mergeVerdicts } from '#analysis/model/verdict.ts';
import { FindingTally, type FindingSummary, type UndecidedSummary } from './finding-tally.ts';
import { racesOf } from './listed-threads.ts';
import { NodeTally, type NodeTotals } from './node-tally.ts';

/** What is known of a source after all its threads. */
export interface SourceSummary {
  readonly verdict: Verdict;
  /** How many threads have which verdict. */
  readonly verdicts: Readonly<Record<Verdict, number>>;
  /** Undeclared forks proved to be races. */
  readonly races: number;
  readonly totals: Totals;
  readonly findings: readonly FindingSummary[];
  readonly undecided: readonly UndecidedSummary[];
  readonly nodes: ReadonlyMap<NodeName, NodeTotals>;
  /** How the log of all threads was joined; null without a log. */
  readonly join: JoinCounts | null;
}

/** Sums thread reports; its size does not grow with their number. */
export class SourceTally {
  readonly #findings = new FindingTally();
  #totals = emptyTotals();
  #verdict: Verdict = 'valid';
  readonly #verdicts = { valid: 0, unknown: 0, invalid: 0 };
  #races = 0;
  readonly #nodes = new NodeTally();
  #join: JoinCounts | null = null;

  add(report: ThreadReport): void {
    this.#findings.add(report);
    this.#nodes.add(report);
    if (report.join !== null) this.#join = this.#join === null ? report.join : added(this.#join, report.join);
    this.#totals = addToTotals(this.#totals, report);
    this.#verdicts[report.verdict] += 1;
    for (const namespace of report.namespaces) this.#races += racesOf(namespace);
    this.#verdict = mergeVerdicts([this.#verdict, report.verdict]);
  }

  /** Adds what was summed over threads that come after all of these. */
  merge(summary: SourceSummary): void {
    this.#findings.merge(summary.findings, summary.undecided);
    this.#nodes.merge(summary.nodes);
    if (summary.join !== null)
      this.#join = this.#join === null ? summary.join : added(this.#join, summary.join);
    this.#totals = mergeTotals(this.#totals, summary.totals);
    for (const verdict of verdictNames) this.#verdicts[verdict] += summary.verdicts[verdict];
    this.#races += summary.races;
    this.#verdict = mergeVerdicts([this.#verdict, summary.verdict]);
  }

  /** How many threads were added so far. */
  get threads(): number {
    return this.#totals.threads;
  }

  get summary(): SourceSummary {
    return {
      verdict: this.#verdict,
      verdicts: { ...this.#verdicts },
      races: this.#races,
      totals: this.#totals,
      findings: this.#findings.findings,
      undecided: this.#findings.undecided,
      nodes: this.#nodes.nodes,
      join: this.#join,
    };
  }
}

const verdictNames = ['valid', 'unknown', 'invalid'] as const;

function added(one: JoinCounts, other: JoinCounts): JoinCounts {
  return {
    exact: one.exact + other.exact,
    task: one.task + other.task,
    run: one.run + other.run,
    time: one.time + other.time,
    none: one.none + other.none,
  };
}
