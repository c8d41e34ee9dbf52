import fc from 'fast-check';
import { expect, test } from 'vitest';
import { analyseThread } from '../analyse.ts';
import type { ThreadEvidence } from '../model/evidence.ts';
import { ledgerClasses, type LedgerCounts, type LedgerRun } from '../model/ledger.ts';
import type { ThreadReport } from '../model/report.ts';
import { epochMs } from '../simulation/identities.ts';
import { ledgerRun, threadAfter } from '../simulation/ledger-thread.ts';

const minute = 60_000;
const hour = 60 * minute;

function judged(evidence: ThreadEvidence, runs: readonly LedgerRun[], afterMs: number): ThreadReport {
  const ledger = { runs, oldestMs: epochMs };
  return analyseThread({ ...evidence, ledger }, { rules: [], nowMs: epochMs + afterMs });
}

const classes = ({ ledger }: ThreadReport): Readonly<Record<string, number>> =>
  Object.fromEntries(ledger ?? []);

const times = fc.option(fc.integer({ min: -minute, max: 2 * hour }), { nil: null });
const someRun = fc.record({
  run: fc.constantFrom('run-0', 'run-1', 'job 2'),
  phase: fc.constantFrom<LedgerRun['phase'][]>(
    ...(['waiting', 'running', 'paused', 'succeeded', 'failed', 'cancelled', 'unsaid', 'unknown'] as const),
  ),
  createdMs: times.map((time) => (time === null ? null : epochMs + time)),
  heartbeatMs: times.map((time) => (time === null ? null : epochMs + time)),
  attempts: fc.option(fc.nat({ max: 7 }), { nil: null }),
});
const someThread = fc.record({
  moves: fc.array(fc.option(fc.integer({ min: 0, max: 16 }), { nil: null }), { maxLength: 3 }),
  named: fc.boolean(),
  held: fc.boolean(),
});

test('every run of a ledger is in exactly one class, and each finding has one run and its reason', () => {
  fc.assert(
    fc.property(
      someThread,
      fc.array(someRun, { maxLength: 5 }),
      fc.integer({ min: 0, max: 3 * hour }),
      ({ moves, named, held }, runs, afterMs) => {
        const evidence = { ...threadAfter(moves, named), lease: held ? { expiresMs: null } : null };
        const report = judged(evidence, runs.map(ledgerRun), afterMs);
        const counts: LedgerCounts = report.ledger ?? new Map();
        expect([...counts.values()].reduce((sum, count) => sum + count, 0)).toBe(runs.length);
        for (const became of counts.keys()) expect(ledgerClasses).toContain(became);
        const findings = report.findings.filter(({ details }) => 'run' in details);
        const reported = ['vanished', 'stalled', 'ghost', 'poison'] as const;
        expect(findings.length).toBe(reported.reduce((sum, became) => sum + (counts.get(became) ?? 0), 0));
        for (const finding of findings) {
          expect(finding.witness[0]).toBe(finding.details['run']);
          expect(finding.because.startsWith(`run ${finding.witness[0] ?? ''} `)).toBe(true);
        }
        const detectors = report.undecided.filter(({ reason }) => reason.startsWith('it failed'));
        expect(detectors).toEqual([]);
      },
    ),
  );
});

test('no run is lost or stuck by the order of the ledger, and none vanishes as less time passes', () => {
  fc.assert(
    fc.property(
      someThread,
      fc.array(someRun, { maxLength: 5 }),
      fc.integer({ min: 1, max: hour }),
      ({ moves, named }, runs, afterMs) => {
        const evidence = threadAfter(moves, named);
        const ledger = runs.map(ledgerRun);
        const of = (list: readonly LedgerRun[], time: number) => judged(evidence, list, time);
        const late = of(ledger, afterMs);
        expect(classes(of(ledger.toReversed(), afterMs))).toEqual(classes(late));
        const early = of(ledger, 0);
        for (const became of ['vanished', 'stalled'] as const) {
          expect(early.ledger?.get(became) ?? 0).toBeLessThanOrEqual(late.ledger?.get(became) ?? 0);
        }
      },
    ),
  );
});
