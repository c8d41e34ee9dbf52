/** Verdicts, totals and findings summed over threads: what every report of many threads begins with. */
import { addToTotals, emptyTotals } from '#analysis/analyse.ts';
import type { Verdict } from '#analysis/model/finding.ts';
import type { ThreadReport, Totals } from '#analysis/model/report.ts';
import { mergeVerdicts } from '#analysis/model/verdict.ts';
import { FindingTally, type FindingSummary, type UndecidedSummary } from './finding-tally.ts';

/** What is known of a source after all its threads. */
export interface SourceSummary {
  readonly verdict: Verdict;
  readonly totals: Totals;
  readonly findings: readonly FindingSummary[];
  readonly undecided: readonly UndecidedSummary[];
}

/** Sums thread reports; its size does not grow with their number. */
export class SourceTally {
  readonly #findings = new FindingTally();
  #totals = emptyTotals();
  #verdict: Verdict = 'valid';

  add(report: ThreadReport): void {
    this.#findings.add(report);
    this.#totals = addToTotals(this.#totals, report);
    this.#verdict = mergeVerdicts([this.#verdict, report.verdict]);
  }

  get summary(): SourceSummary {
    return {
      verdict: this.#verdict,
      totals: this.#totals,
      findings: this.#findings.findings,
      undecided: this.#findings.undecided,
    };
  }
}
