import { describe, expect, test } from 'vitest';
import type { Effect } from '../model/effect.ts';
import type { NodeName, RunToken, ThreadId } from '../model/identifiers.ts';
import type { ThreadEvidence } from '../model/evidence.ts';
import type { Finding } from '../model/finding.ts';
import type { CountRule, GraphShape } from '../model/invariant.ts';
import type { ThreadReport } from '../model/report.ts';
import { prepareAnalysis } from '../prepare.ts';
import { loseRecords } from '../simulation/lossy-log.ts';
import type { RunPlan } from '../simulation/simulated-run.ts';
import { simulate, type Played } from '../simulation/simulate.ts';

const [plan, charge] = ['plan', 'charge'] as [NodeName, NodeName];
const shape: GraphShape = {
  nodes: [plan, charge],
  edges: [
    { from: null, to: plan },
    { from: plan, to: charge },
  ],
  barriers: [],
  unbounded: [],
};
const rules = [{ left: [plan], right: [charge], constant: 0, text: 'plan >= charge' }];
const analyse = await prepareAnalysis({ rules, shape });

const run = (name: string, begins: RunPlan['begins'], cancelAfter: number | null = null): RunPlan => ({
  run: name as RunToken,
  worker: name,
  begins,
  cancelAfter,
  zombie: false,
});

function play(runs: readonly RunPlan[], schedule: readonly number[]): Played {
  return simulate({ thread: 't' as ThreadId, nodes: [plan, charge], runs, schedule, minting: 'counted' });
}

const told = (report: ThreadReport): unknown[] =>
  report.findings
    .filter(({ kind }) => kind === 'count-violation' || kind === 'mid-graph-start')
    .map(({ kind, severity, details }) => [kind, details['cause'], severity]);

const isPlan = (effect: Effect): boolean => effect.node === plan;

describe('a broken rule', () => {
  test.each([true, false])(
    'is put down to lost records when the tree shows them (second instrument: %s)',
    async (table) => {
      const { evidence } = loseRecords(play([run('a', 'input')], []), isPlan, table);
      expect(told(await analyse(evidence))).toEqual([['count-violation', 'records-lost', 'warning']]);
    },
  );

  test('is information when resumed runs account for it: two resumes that race run charge twice', async () => {
    const raced = play(
      [run('z', 'input', 8), run('a', 'resume'), run('b', 'resume')],
      [0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 2, 1, 2],
    );
    const report = await analyse(raced.evidence);
    expect(told(report)).toEqual([
      ['count-violation', 'resume', 'info'],
      ['count-violation', 'resume', 'info'],
      ['mid-graph-start', 'resume', 'info'],
    ]);
    expect(report.verdict).toBe('invalid');
  });

  test('is an error when nothing accounts for it', async () => {
    const played = play([run('a', 'input')], []);
    const extra = played.effects.filter(({ node }) => node === charge);
    const effects = [
      ...played.effects,
      ...extra.map((effect) => ({ ...effect, run: 'stranger' as RunToken, sequence: 3 })),
    ];
    const evidence: ThreadEvidence = {
      ...played.evidence,
      log: { effects, table: null, health: { lost: [], indeterminate: [] } },
    };
    const report = await analyse(evidence);
    expect(told(report)).toEqual([
      ['count-violation', 'unexplained', 'error'],
      ['mid-graph-start', 'unexplained', 'error'],
    ]);
    // One plan allows one charge: two charges are the smallest evidence that it was passed.
    const violation = report.findings.find(({ kind }) => kind === 'count-violation');
    expect(violation?.witness).toHaveLength(2);
  });

  test('stays open while a killed worker may have taken records with it', async () => {
    const played = play([run('a', 'input')], []);
    const stranger = played.effects
      .filter(({ node }) => node === charge)
      .map((effect) => ({ ...effect, run: 'stranger' as RunToken, worker: 'killed', sequence: 1 }));
    const evidence: ThreadEvidence = {
      ...played.evidence,
      log: {
        effects: [...played.effects, ...stranger],
        table: null,
        health: { lost: [], indeterminate: ['killed'] },
      },
    };
    expect(told(await analyse(evidence))).toEqual([
      ['count-violation', 'cannot-tell', 'warning'],
      ['mid-graph-start', 'cannot-tell', 'warning'],
    ]);
  });

  test('is not asked on a forked thread when a fork alone can break it', async () => {
    const violated = { left: [charge], right: [plan], constant: 1, text: 'charge >= plan + 1' };
    const restsOnBarrier = await prepareAnalysis({ rules: [{ ...violated, holdsAcrossForks: false }] });
    const anywhere = await prepareAnalysis({ rules: [violated] });
    const forked = play([run('a', 'input'), run('b', 'input')], [0, 1, 0, 1, 0, 1]);
    const straight = play([run('a', 'input')], []);
    expect(told(await restsOnBarrier(forked.evidence))).toEqual([]);
    expect(told(await anywhere(forked.evidence))).not.toEqual([]);
    expect(told(await restsOnBarrier(straight.evidence))).not.toEqual([]);
  });
});

describe('a bound by a number', () => {
  const atMostOne = { left: [], right: [charge], constant: -1, text: 'n(charge) <= 1' };
  const atLeastTwo = { left: [plan], right: [], constant: 2, text: 'n(plan) >= 2' };
  const violations = async (rule: CountRule, evidence: ThreadEvidence): Promise<readonly Finding[]> => {
    const { findings } = await (await prepareAnalysis({ rules: [rule] }))(evidence);
    return findings.filter(({ kind }) => kind === 'count-violation');
  };

  test('is broken by resumed runs like by any others, and says what the head alone shows', async () => {
    const raced = play(
      [run('z', 'input', 8), run('a', 'resume'), run('b', 'resume')],
      [0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 2, 1, 2],
    );
    const found = await violations(atMostOne, raced.evidence);
    expect(found.map(({ because, severity, details }) => [severity, details['cause'], because])).toEqual([
      [
        'error',
        'bound-broken',
        'in the log charge ran 2 times; the rule n(charge) <= 1 allows 1; a bound by a number holds for every run, resumed or not',
      ],
      [
        'error',
        'bound-broken',
        "in the tree charge ran 2 times; the rule n(charge) <= 1 allows 1; on the head's lineage charge ran once, which alone keeps it; a bound by a number holds for every run, resumed or not",
      ],
    ]);
    for (const { witness } of found) expect(witness).toHaveLength(2);
  });

  test('from below has the executions that there are as its witness', async () => {
    const found = await violations(atLeastTwo, play([run('a', 'input')], []).evidence);
    expect(found.map(({ because }) => because.split('; ').slice(0, 2).join('; '))).toEqual([
      'in the log plan ran once; the rule n(plan) >= 2 asks for at least 2',
      'in the tree plan ran once; the rule n(plan) >= 2 asks for at least 2',
    ]);
    for (const { witness } of found) expect(witness).toHaveLength(1);
  });

  test('from below is put down to lost records when the tree shows enough executions', async () => {
    const played = play([run('a', 'input'), run('b', 'input')], [0, 0, 0, 0, 0, 0, 0, 0]);
    const { evidence } = loseRecords(played, isPlan, false);
    const found = await violations(atLeastTwo, evidence);
    expect(found.map(({ severity, details }) => [details['where'], details['cause'], severity])).toEqual([
      ['log', 'records-lost', 'warning'],
    ]);
  });
});
