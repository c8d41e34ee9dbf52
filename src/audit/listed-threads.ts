/**
 * Which threads a report lists. Easy to get wrong: what is listed never changes what is counted; totals, verdict and
 * exit code are those of all threads.
 */
import { findingKinds, type FindingKind } from '#analysis/model/finding.ts';
import type { ThreadReport } from '#analysis/model/report.ts';

/** A kind of finding, or `race`: an undeclared fork proved to be one. */
export type ListedKind = FindingKind | 'race';

/** Every name that `--only` takes. */
export const listedKinds: readonly ListedKind[] = ['race', ...findingKinds];

/** What is asked for. Survives structured cloning. */
export interface Listing {
  /** List every thread, not only those with a warning or an error. */
  readonly all: boolean;
  /** Only threads with a finding of these kinds, of any severity; null: whatever they show. */
  readonly only: readonly ListedKind[] | null;
}

/** Whether a thread is listed in JSON. */
export function isListed(
  report: Pick<ThreadReport, 'findings' | 'namespaces'>,
  { all, only }: Listing,
): boolean {
  if (only !== null) return shows(report, only);
  return all || report.findings.some(({ severity }) => severity !== 'info');
}

/** Whether a thread may be among the worst: it has to be bad, or to show what was asked for. */
export function isCandidate(
  report: Pick<ThreadReport, 'findings' | 'namespaces' | 'verdict'>,
  { only }: Listing,
): boolean {
  return only === null ? report.verdict !== 'valid' : shows(report, only);
}

function shows(
  { findings, namespaces }: Pick<ThreadReport, 'findings' | 'namespaces'>,
  only: readonly ListedKind[],
): boolean {
  const isRace = only.includes('race') && namespaces.some((namespace) => racesOf(namespace) > 0);
  return isRace || findings.some(({ kind }) => only.includes(kind));
}

/** How many forks of a tree are proved to be races. */
export function racesOf({ forks }: ThreadReport['namespaces'][number]): number {
  return forks.filter(({ declared, verdict }) => !declared && verdict === 'race').length;
}
