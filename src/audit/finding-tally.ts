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
      const entry = this.#kinds.get(finding.kind);
      if (entry === undefined) {
        this.#kinds.set(finding.kind, {
          severity: finding.severity,
          threads: 1,
          instances: 1,
          example: finding,
          exampleSchema: report.schema,
        });
      } else {
        entry.instances += 1;
        if (!here.has(finding.kind)) entry.threads += 1;
        if (gravity[finding.severity] > gravity[entry.severity]) {
          entry.severity = finding.severity;
          entry.example = finding;
          entry.exampleSchema = report.schema;
        }
      }
      here.add(finding.kind);
    }
    const asked = new Set<string>();
    for (const { question, reason } of report.undecided) {
      const key = JSON.stringify([question, reason]);
      if (asked.has(key)) continue;
      asked.add(key);
      this.#undecided.set(key, { question, reason, threads: (this.#undecided.get(key)?.threads ?? 0) + 1 });
    }
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
