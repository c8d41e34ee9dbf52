/**
 * For tests: `forkscope-audit/1` as its readers see it, as far as tests of the command look into it. Easy to get wrong:
 * the order of threads is the source's own, so two sources are compared with their threads sorted.
 */

/** One thread of a report. */
export interface ThreadJson {
  readonly thread: string;
  readonly schema?: string;
  readonly verdict: string;
  readonly status: string;
  readonly log: Readonly<Record<string, number>> | null;
  readonly unrecorded: Readonly<Record<string, number>>;
  readonly join: Readonly<Record<string, number>> | null;
  readonly namespaces: readonly {
    readonly executions: { readonly tree: Readonly<Record<string, number>> };
  }[];
  readonly findings: readonly {
    readonly kind: string;
    readonly severity: string;
    readonly because: string;
    readonly witness: readonly string[];
    readonly details: Readonly<Record<string, unknown>>;
  }[];
}

/** A whole report. */
export interface AuditReport {
  readonly source: { readonly kind: string; readonly name: string };
  readonly verdict: string;
  readonly totals: Readonly<Record<string, unknown>> & {
    readonly findings: Readonly<Record<string, number>>;
  };
  readonly threads: readonly ThreadJson[];
  readonly effects?: {
    readonly file: string;
    readonly mapping: { readonly origin: string };
    readonly records: number;
    readonly join: Readonly<Record<string, number>>;
    readonly notNodes: readonly {
      readonly name: string;
      readonly records: number;
      readonly threads: number;
    }[];
  };
}

/** The same report whatever it was read from: without its source, threads in the order of their ids. */
export function told({ effects, ...report }: AuditReport): unknown {
  const threads = report.threads.toSorted((a, b) => (a.thread < b.thread ? -1 : 1));
  return { ...report, source: null, effects: effects && { ...effects, file: null }, threads };
}
