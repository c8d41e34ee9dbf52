/**
 * Which threads does an engineer look at first? Those with most hidden executions, then most unrecorded effects, then
 * most errors. Ties keep the source's order, so that the list is the same on every run.
 */
import type { ThreadReport } from '#analysis/model/report.ts';
import { isCandidate, type Listing } from './listed-threads.ts';

/** Keeps the `limit` worst of the candidates among the threads it is shown; memory is bounded by the limit. */
export class WorstThreads {
  readonly #limit: number;
  readonly #listing: Listing;
  readonly #worst: { readonly report: ThreadReport; readonly weight: readonly number[] }[] = [];

  constructor(limit: number, listing: Listing) {
    this.#limit = limit;
    this.#listing = listing;
  }

  add(report: ThreadReport): void {
    if (!isCandidate(report, this.#listing)) return;
    const weight = weightOf(report);
    let at = this.#worst.length;
    while (at > 0 && isGreater(weight, this.#worst[at - 1]?.weight ?? [])) at -= 1;
    if (at >= this.#limit) return;
    this.#worst.splice(at, 0, { report, weight });
    this.#worst.length = Math.min(this.#worst.length, this.#limit);
  }

  /** Worst first. */
  get reports(): readonly ThreadReport[] {
    return this.#worst.map(({ report }) => report);
  }
}

function weightOf(report: ThreadReport): readonly number[] {
  let hidden = 0;
  for (const namespace of report.namespaces) for (const count of namespace.hidden.values()) hidden += count;
  let unrecorded = 0;
  for (const count of report.unrecorded.values()) unrecorded += count;
  const errors = report.findings.filter(({ severity }) => severity === 'error').length;
  return [hidden, unrecorded, errors, report.findings.length];
}

function isGreater(a: readonly number[], b: readonly number[]): boolean {
  for (const [index, value] of a.entries()) {
    const other = b[index] ?? 0;
    if (value !== other) return value > other;
  }
  return false;
}
