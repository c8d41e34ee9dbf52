/**
 * Findings by kind over many threads: how many threads show it, how often, and the first instance as the example.
 * Holds one example a kind, so its size does not grow with the source.
 */
import {
  findingKinds,
  type Finding,
  type FindingKind,
  type Severity,
  type Undecided,
} from '#analysis/model/finding.ts';
import type { ThreadReport } from '#analysis/model/report.ts';

/** One kind of finding over a source. */
export interface FindingSummary {
  readonly kind: FindingKind;
  /** The gravest severity an instance had. */
  readonly severity: Severity;
  readonly threads: number;
  readonly instances: number;
  /** The first instance of that severity, in source order. */
  readonly example: Finding;
  /** Whose the example's thread is, where the source has several schemas. */
  readonly exampleSchema: string | null;
}

/** One question that stayed open, and in how many threads. */
export interface UndecidedSummary extends Undecided {
  readonly threads: number;
}

const gravity: Readonly<Record<Severity, number>> = { info: 0, warning: 1, error: 2 };

/** Accumulates; order of kinds is the catalogue's. */
export class FindingTally {
  readonly #kinds = new Map<
    FindingKind,
    {
      severity: Severity;
      threads: number;
      instances: number;
      example: Finding;
      exampleSchema: string | null;
    }
  >();
  readonly #undecided = new Map<string, UndecidedSummary>();

  add(report: ThreadReport): void {
    const here = new Set<FindingKind>();
    for (const finding of report.findings) {
      const { kind, severity } = finding;
      const threads = here.has(kind) ? 0 : 1;
      here.add(kind);
      this.#finding({
        kind,
        severity,
        threads,
        instances: 1,
        example: finding,
        exampleSchema: report.schema,
      });
    }
    const asked = new Set<string>();
    for (const { question, reason } of report.undecided) {
      const key = JSON.stringify([question, reason]);
      if (asked.has(key)) continue;
      asked.add(key);
      this.#open({ question, reason, threads: 1 });
    }
  }

  /** Adds what was counted over threads that come after all of these. */
  merge(findings: readonly FindingSummary[], undecided: readonly UndecidedSummary[]): void {
    for (const summary of findings) this.#finding(summary);
    for (const summary of undecided) this.#open(summary);
  }

  #finding({ kind, severity, threads, instances, example, exampleSchema }: FindingSummary): void {
    const entry = this.#kinds.get(kind);
    if (entry === undefined) {
      this.#kinds.set(kind, { severity, threads, instances, example, exampleSchema });
      return;
    }
    entry.instances += instances;
    entry.threads += threads;
    if (gravity[severity] <= gravity[entry.severity]) return;
    entry.severity = severity;
    entry.example = example;
    entry.exampleSchema = exampleSchema;
  }

  #open({ question, reason, threads }: UndecidedSummary): void {
    const key = JSON.stringify([question, reason]);
    const before = this.#undecided.get(key)?.threads ?? 0;
    this.#undecided.set(key, { question, reason, threads: before + threads });
  }

  get findings(): readonly FindingSummary[] {
    return findingKinds.flatMap((kind) => {
      const entry = this.#kinds.get(kind);
      return entry === undefined ? [] : [{ kind, ...entry }];
    });
  }

  /** Most frequent first. */
  get undecided(): readonly UndecidedSummary[] {
    return [...this.#undecided.values()].sort((a, b) => b.threads - a.threads);
  }
}
