import { describe, expect, test } from 'vitest';
import { analyseThread } from '../analyse.ts';
import type { AnalysisOptions, ThreadEvidence } from '../model/evidence.ts';
import type { NodeName } from '../model/identifiers.ts';
import type { Lease } from '../model/ledger.ts';
import type { ThreadReport } from '../model/report.ts';
import type { Standing } from '../executions/standing.ts';
import { epochMs } from '../simulation/identities.ts';
import { emptyThread, ledgerRun, threadAfter } from '../simulation/ledger-thread.ts';
import { gatherFacts } from './gather.ts';
import { narrowStanding } from './narrow-standing.ts';

const minute = 60_000;
/** Moves after which a thread stands at its input, before its first node, and between its two nodes. */
const atInput = 2;
const beforePlan = 5;
const afterPlan = 8;

const nobody = null;
const somebody: Lease = { expiresMs: null };

function standing(
  moves: number | null,
  lease: Lease | null | undefined,
  options: Partial<AnalysisOptions> = {},
): ThreadReport {
  const evidence: ThreadEvidence = { ...threadAfter([moves]), ...(lease === undefined ? {} : { lease }) };
  return analyseThread(evidence, { rules: [], nowMs: epochMs + 60 * minute, ...options });
}

const breakpoints = (...nodes: string[]): Pick<AnalysisOptions, 'breakpoints'> => ({
  breakpoints: nodes as NodeName[],
});

describe('a thread between two steps', () => {
  test('stays indeterminate while nobody has said who holds it or where the graph stops', () => {
    const report = standing(beforePlan, undefined);
    expect(report).toMatchObject({ status: 'indeterminate', next: ['plan'], findings: [] });
    expect(report.statusReason).toBeUndefined();
    expect(standing(beforePlan, nobody).status).toBe('indeterminate');
    expect(standing(beforePlan, undefined, breakpoints()).status).toBe('indeterminate');
  });

  test('is in flight while a lease holds it, until that ends', () => {
    const held = standing(beforePlan, somebody, breakpoints());
    expect(held).toMatchObject({
      status: 'indeterminate',
      statusReason: { cause: 'in-flight' },
      findings: [],
    });
    const until = (expiresMs: number) => standing(beforePlan, { expiresMs }, breakpoints());
    expect(until(epochMs + 60 * minute + 1).status).toBe('indeterminate');
    expect(until(epochMs + 60 * minute).status).toBe('abandoned');
  });

  test('is interrupted before or after a breakpoint, whoever holds nothing', () => {
    for (const lease of [nobody, undefined]) {
      expect(standing(beforePlan, lease, breakpoints('plan'))).toMatchObject({
        status: 'interrupted',
        statusReason: { cause: 'breakpoint', because: 'plan is due, and the graph is made to stop there' },
      });
    }
    expect(standing(afterPlan, nobody, breakpoints('plan'))).toMatchObject({
      status: 'interrupted',
      next: ['charge'],
      statusReason: { because: 'plan has run, and the graph is made to stop there' },
    });
    expect(standing(afterPlan, nobody, breakpoints('*')).status).toBe('interrupted');
  });

  test('is abandoned, with a finding, when nobody holds it and it is at no breakpoint', () => {
    const report = standing(afterPlan, nobody, breakpoints('elsewhere'));
    const head = report.namespaces[0]?.head;
    expect(report.status).toBe('abandoned');
    expect(report.findings).toMatchObject([
      {
        kind: 'abandoned-thread',
        severity: 'warning',
        witness: [head],
        because: `at ${String(head)} charge is due at no breakpoint, and no lease holds the thread`,
      },
    ]);
  });

  test('is not abandoned while it is younger than asked, to the millisecond', () => {
    const newestMs = 5;
    const aged = (minAgeMs: number) => standing(beforePlan, nobody, { ...breakpoints(), minAgeMs });
    expect(aged(60 * minute - newestMs).status).toBe('abandoned');
    expect(aged(60 * minute - newestMs + 1)).toMatchObject({
      status: 'indeterminate',
      statusReason: { cause: 'young', because: 'the thread moved 3599s ago and may be running' },
    });
  });

  test('is in flight while the ledger hears of its run', () => {
    const run = ledgerRun({ heartbeatMs: epochMs + 59 * minute });
    const evidence = {
      ...threadAfter([beforePlan]),
      lease: nobody,
      ledger: { runs: [run], oldestMs: epochMs },
    };
    const report = analyseThread(evidence, { rules: [], nowMs: epochMs + 60 * minute, ...breakpoints() });
    expect(report).toMatchObject({ status: 'indeterminate', statusReason: { cause: 'in-flight' } });
  });
});

test('a thread at its input cannot be at a breakpoint, so a lease alone tells', () => {
  expect(standing(atInput, nobody)).toMatchObject({
    status: 'abandoned',
    statusReason: { because: 'its input was never taken up, and no lease holds the thread' },
  });
  expect(standing(atInput, nobody, breakpoints('*')).status).toBe('abandoned');
  expect(standing(atInput, undefined, breakpoints()).status).toBe('indeterminate');
});

test('a thread that is over, or has no rows, stays so whatever is said of it', () => {
  expect(standing(null, somebody, { ...breakpoints('*'), minAgeMs: 1e9 }).status).toBe('terminal');
  const empty = { ...emptyThread, lease: nobody };
  expect(analyseThread(empty, { rules: [], ...breakpoints() }).status).toBe('no-rows');
});

test('a superstep that stopped half-way is at no breakpoint, and is in flight only by lease or age', () => {
  const halfWay: Standing = { status: 'abandoned', next: ['charge' as NodeName], because: null };
  const narrowed = (lease: Lease | null, options: Partial<AnalysisOptions>) => {
    const evidence = { ...threadAfter([afterPlan]), lease };
    const asked = { rules: [], nowMs: epochMs + minute, ...options };
    return narrowStanding(halfWay, gatherFacts(evidence, asked, { hashes: null, explainStarts: null }));
  };
  expect(narrowed(nobody, breakpoints('*'))).toEqual(halfWay);
  expect(narrowed(somebody, {})).toMatchObject({ status: 'indeterminate', narrowed: { cause: 'in-flight' } });
  expect(narrowed(nobody, { minAgeMs: 2 * minute })).toMatchObject({ narrowed: { cause: 'young' } });
});
