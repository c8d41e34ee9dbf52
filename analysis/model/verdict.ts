/**
 * The three-valued verdict and how verdicts merge: invalid > unknown > valid. Unknown is never folded into valid.
 */
import type { Finding, Undecided, Verdict } from './finding.ts';

const rank: Readonly<Record<Verdict, number>> = { valid: 0, unknown: 1, invalid: 2 };

/** The worst of the given verdicts; `valid` for none. */
export function mergeVerdicts(verdicts: Iterable<Verdict>): Verdict {
  let worst: Verdict = 'valid';
  for (const verdict of verdicts) if (rank[verdict] > rank[worst]) worst = verdict;
  return worst;
}

/** One error makes a thread invalid; otherwise any undecided question makes it unknown. */
export function verdictOf(findings: Iterable<Finding>, undecided: readonly Undecided[]): Verdict {
  for (const finding of findings) if (finding.severity === 'error') return 'invalid';
  return undecided.length > 0 ? 'unknown' : 'valid';
}
