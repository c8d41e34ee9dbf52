/** Sums over the threads of a source, folded one report at a time so that any number of threads fits in memory. */
import type { FindingKind } from './model/finding.ts';
import type { ThreadReport, Totals } from './model/report.ts';

/** The totals of no threads. */
export function emptyTotals(): Totals {
  return {
    threads: 0,
    namespaces: 0,
    checkpoints: 0,
    forks: 0,
    declaredForks: 0,
    undeclaredForks: 0,
    findings: new Map(),
  };
}

/** The totals with one more thread. *Cost*: linear in the report's namespaces and findings. */
export function addToTotals(totals: Totals, report: ThreadReport): Totals {
  const forks = report.namespaces.flatMap((namespace) => namespace.forks);
  const declared = forks.filter((fork) => fork.declared).length;
  const findings = new Map<FindingKind, number>(totals.findings);
  for (const { kind } of report.findings) findings.set(kind, (findings.get(kind) ?? 0) + 1);
  return {
    threads: totals.threads + 1,
    namespaces: totals.namespaces + report.namespaces.length,
    checkpoints: report.namespaces.reduce((sum, { checkpoints }) => sum + checkpoints, totals.checkpoints),
    forks: totals.forks + forks.length,
    declaredForks: totals.declaredForks + declared,
    undeclaredForks: totals.undeclaredForks + forks.length - declared,
    findings,
  };
}
