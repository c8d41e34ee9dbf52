/**
 * Runs every detector over one thread. A detector that throws has found a bug of its own: it becomes an undecided
 * entry, never a pass and never the end of the analysis. Findings come in the order of the catalogue.
 */
import { findingKinds, type Finding, type Undecided } from '#analysis/model/finding.ts';
import { detectCountRules } from './count-rules.ts';
import { detectDuplicatedEffects } from './duplicated-effects.ts';
import type { Detection, Detector, ThreadFacts } from './facts.ts';
import { detectForks } from './forks.ts';
import { detectHiddenExecutions } from './hidden-executions.ts';
import { detectUnloggedExecutions, detectUnrecordedEffects, detectZombieEffects } from './log-effects.ts';
import { detectAbandonedThread } from './abandoned-thread.ts';
import { detectLedgerRuns, detectUnledgeredRuns } from './ledger-findings.ts';
import { detectDeltaMixed } from './delta-mixed.ts';
import { detectPhantomWrites } from './phantom-writes.ts';
import { detectOneSidedCharges, detectRepeatedCharges } from './provider-findings.ts';
import { detectResumedTwice } from './resumed-twice.ts';
import { detectStrayWrites } from './stray-writes.ts';
import { detectUncommittedWrites } from './uncommitted-writes.ts';
import { detectSharedBlobs } from './shared-blobs.ts';
import {
  detectDanglingParents,
  detectIncompleteEdges,
  detectInvertedOrder,
  detectRejectedRows,
} from './structure.ts';

/** The detectors by name; the name shows in the undecided entry of one that throws. */
export const detectors: ReadonlyMap<string, Detector> = new Map([
  ['forks', detectForks],
  ['hidden executions', detectHiddenExecutions],
  ['shared blobs', detectSharedBlobs],
  ['uncommitted writes', detectUncommittedWrites],
  ['phantom writes', detectPhantomWrites],
  ['dangling parents', detectDanglingParents],
  ['stray writes', detectStrayWrites],
  ['inverted order', detectInvertedOrder],
  ['resumed twice', detectResumedTwice],
  ['mixed delta channels', detectDeltaMixed],
  ['abandoned threads', detectAbandonedThread],
  ['rejected rows', detectRejectedRows],
  ['incomplete edges', detectIncompleteEdges],
  ['duplicated effects', detectDuplicatedEffects],
  ['unrecorded effects', detectUnrecordedEffects],
  ['unlogged executions', detectUnloggedExecutions],
  ['zombie effects', detectZombieEffects],
  ['count rules', detectCountRules],
  ['ledger runs', detectLedgerRuns],
  ['unledgered runs', detectUnledgeredRuns],
  ['repeated charges', detectRepeatedCharges],
  ['one-sided charges', detectOneSidedCharges],
]);

const rank = new Map(findingKinds.map((kind, at) => [kind, at]));

/** Runs `with` (all detectors by default) over a thread. */
export function check(facts: ThreadFacts, using: ReadonlyMap<string, Detector> = detectors): Detection {
  const findings: Finding[] = [];
  const undecided: Undecided[] = [];
  for (const [name, detect] of using) {
    try {
      const detection = detect(facts);
      findings.push(...detection.findings);
      undecided.push(...detection.undecided);
    } catch (error) {
      undecided.push({
        question: `what the detector of ${name} would find`,
        reason: `it failed: ${error instanceof Error ? error.message : String(error)}`,
      });
    }
  }
  findings.sort(
    (a, b) =>
      (rank.get(a.kind) ?? 0) - (rank.get(b.kind) ?? 0) ||
      ((a.namespace ?? '') < (b.namespace ?? '') ? -1 : (a.namespace ?? '') > (b.namespace ?? '') ? 1 : 0),
  );
  return { findings, undecided };
}
