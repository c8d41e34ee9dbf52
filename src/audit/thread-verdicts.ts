/** Verdicts, totals and findings summed over threads: what every report of many threads begins with. */
import { addToTotals, emptyTotals, mergeTotals } from '#analysis/analyse.ts';
import type { Verdict } from '#analysis/model/finding.ts';
import type { NodeName } from '#analysis/model/identifiers.ts';
import type { JoinCounts, ThreadReport, Totals } from '#analysis/model/report.ts';
import { mergeVerdicts } from '#analysis/model/verdict.ts';
import { FindingTally, type FindingSummary, type UndecidedSummary } from './finding-tally.ts';
import { NodeTally, type NodeTotals } from './node-tally.ts';

/** What is known of a source after all its threads. */
export interface SourceSummary {
  readonly verdict: Verdict;
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
  readonly #nodes = new NodeTally();
  #join: JoinCounts | null = null;

  add(report: ThreadReport): void {
    this.#findings.add(report);
    this.#nodes.add(report);
    if (report.join !== null) this.#join = this.#join === null ? report.join : added(this.#join, report.join);
    this.#totals = addToTotals(this.#totals, report);
    this.#verdict = mergeVerdicts([this.#verdict, report.verdict]);
  }

  /** Adds what was summed over threads that come after all of these. */
  merge(summary: SourceSummary): void {
    this.#findings.merge(summary.findings, summary.undecided);
    this.#nodes.merge(summary.nodes);
    if (summary.join !== null)
      this.#join = this.#join === null ? summary.join : added(this.#join, summary.join);
    this.#totals = mergeTotals(this.#totals, summary.totals);
    this.#verdict = mergeVerdicts([this.#verdict, summary.verdict]);
  }

  get summary(): SourceSummary {
    return {
      verdict: this.#verdict,
      totals: this.#totals,
      findings: this.#findings.findings,
      undecided: this.#findings.undecided,
      nodes: this.#nodes.nodes,
      join: this.#join,
    };
  }
}

function added(one: JoinCounts, other: JoinCounts): JoinCounts {
  return {
    exact: one.exact + other.exact,
    task: one.task + other.task,
    run: one.run + other.run,
    time: one.time + other.time,
    none: one.none + other.none,
  };
}
