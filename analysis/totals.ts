/** Sums over the threads of a source, folded one report at a time so that any number of threads fits in memory. */
import type { FindingKind } from './model/finding.ts';
import type { LedgerCounts } from './model/ledger.ts';
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
  let findings = totals.findings;
  if (report.findings.length > 0) {
    const counts = new Map<FindingKind, number>(findings);
    for (const { kind } of report.findings) counts.set(kind, (counts.get(kind) ?? 0) + 1);
    findings = counts;
  }
  return {
    threads: totals.threads + 1,
    namespaces: totals.namespaces + report.namespaces.length,
    checkpoints: report.namespaces.reduce((sum, { checkpoints }) => sum + checkpoints, totals.checkpoints),
    forks: totals.forks + forks.length,
    declaredForks: totals.declaredForks + declared,
    undeclaredForks: totals.undeclaredForks + forks.length - declared,
    findings,
    ...ledgerSums(totals.ledger, report.ledger),
  };
}

function ledgerSums(one: LedgerCounts | undefined, other: LedgerCounts | undefined): Pick<Totals, 'ledger'> {
  if (one === undefined || other === undefined) {
    const only = one ?? other;
    return only === undefined ? {} : { ledger: only };
  }
  const ledger = new Map(one);
  for (const [became, runs] of other) ledger.set(became, (ledger.get(became) ?? 0) + runs);
  return { ledger };
}

/** The totals of two sets of threads that have none in common. */
export function mergeTotals(one: Totals, other: Totals): Totals {
  const findings = new Map<FindingKind, number>(one.findings);
  for (const [kind, count] of other.findings) findings.set(kind, (findings.get(kind) ?? 0) + count);
  return {
    threads: one.threads + other.threads,
    namespaces: one.namespaces + other.namespaces,
    checkpoints: one.checkpoints + other.checkpoints,
    forks: one.forks + other.forks,
    declaredForks: one.declaredForks + other.declaredForks,
    undeclaredForks: one.undeclaredForks + other.undeclaredForks,
    findings,
    ...ledgerSums(one.ledger, other.ledger),
  };
}
