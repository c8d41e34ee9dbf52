/**
 * Findings of a ledger: runs that vanished, stalled, haunt or poison, one finding a run; and rows that the ledger does
 * not know. Easy to get wrong: an open question names no run, or a million of them would be told one by one.
 */
import type { Finding, FindingKind, Severity, Undecided } from '#analysis/model/finding.ts';
import { rootNamespace } from '#analysis/model/identifiers.ts';
import type { LedgerClass } from '#analysis/model/ledger.ts';
import { nothingFound, type Detection, type ThreadFacts } from './facts.ts';
import { found, listText } from './found.ts';
import type { JudgedRun } from './ledger-facts.ts';

const kinds: Partial<Readonly<Record<LedgerClass, FindingKind>>> = {
  vanished: 'vanished-run',
  stalled: 'stalled-run',
  ghost: 'ghost-run',
  poison: 'poison',
};

/** Reports what became of the ledger's runs, where that is a finding, and what cannot be told. */
export function detectLedgerRuns(facts: ThreadFacts): Detection {
  if (facts.ledger === null) return nothingFound;
  const findings: Finding[] = [];
  const reasons = new Set<string>();
  for (const judged of facts.ledger.runs) {
    const kind = kinds[judged.class];
    if (kind !== undefined) findings.push(runFinding(facts, kind, judged));
    else if (judged.class === 'undetermined') reasons.add(judged.because);
  }
  const undecided = [...reasons].sort().map((reason): Undecided => ({
    question: 'what became of a run that the ledger holds open',
    reason,
  }));
  return { findings, undecided };
}

function runFinding(facts: ThreadFacts, kind: FindingKind, { run, trace, because }: JudgedRun): Finding {
  const [leaf] = facts.thread.byName.get(rootNamespace)?.tree.rows.slice(-1) ?? [];
  const severity = severityOf(kind, run.phase, trace.kind);
  return found(facts, kind, {
    namespace: null,
    because: `run ${run.run} ${because}`,
    // A vanished run has no checkpoint; the others are seen together with where their thread stands.
    witness: kind === 'vanished-run' || leaf === undefined ? [run.run] : [run.run, leaf.id],
    ...(severity === null ? {} : { severity }),
    details: {
      run: run.run,
      status: run.status,
      createdMs: run.createdMs,
      heartbeatMs: run.heartbeatMs,
      attempts: run.attempts,
    },
  });
}

/** Null: the usual one. */
function severityOf(
  kind: FindingKind,
  phase: JudgedRun['run']['phase'],
  trace: JudgedRun['trace']['kind'],
): Severity | null {
  if (kind === 'vanished-run' && phase === 'succeeded') return 'warning';
  return kind === 'poison' && phase !== 'failed' && trace === 'none' ? 'error' : null;
}

/** Reports the checkpoints of a thread that no run of the ledger can have made, one finding a thread. */
export function detectUnledgeredRuns(facts: ThreadFacts): Detection {
  const unledgered = facts.ledger?.unledgered ?? null;
  if (facts.ledger === null || unledgered === null) return nothingFound;
  const { checkpoints, runs, older, newest } = unledgered;
  const rows = checkpoints === 1 ? 'one checkpoint' : `${checkpoints} checkpoints`;
  const whose = runs.length === 0 ? '' : ` of ${listText(runs)}`;
  const known =
    facts.ledger.runs.length === 0
      ? 'the ledger knows no run of this thread'
      : 'no run that the ledger knows can have made them';
  const forgotten = older === 0 ? '' : `; ${older} from before the oldest run of the ledger`;
  return {
    findings: [
      found(facts, 'unledgered-run', {
        namespace: null,
        because: `there ${checkpoints === 1 ? 'is' : 'are'} ${rows}${whose}, and ${known}${forgotten}`,
        witness: runs.length === 0 ? [newest] : runs.slice(0, 1),
        details: {
          checkpoints,
          runs: runs.slice(0, mostRuns),
          runCount: runs.length,
          olderThanLedger: older,
        },
      }),
    ],
    undecided: [],
  };
}

/** A thread may have thousands; the count tells of the others. */
const mostRuns = 20;
