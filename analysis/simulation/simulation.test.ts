import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { analyseThread } from '../analyse.ts';
import { total } from '../executions/counts.ts';
import { logHealth } from '../executions/log-health.ts';
import type { NodeName, RunToken, ThreadId } from '../model/identifiers.ts';
import type { CountRule } from '../model/invariant.ts';
import type { ThreadReport } from '../model/report.ts';
import { loseRecords } from './lossy-log.ts';
import type { RunPlan } from './simulated-run.ts';
import { simulate, type Play, type Played } from './simulate.ts';

/** Names that a plain object would lose or confuse. */
const nodeNames = ['plan', 'charge', '__proto__', 'constructor'] as NodeName[];

function runPlan(index: number, begins: fc.Arbitrary<RunPlan['begins']>): fc.Arbitrary<RunPlan> {
  return fc.record({
    run: fc.constant(`run-${index}` as RunToken),
    worker: fc.constantFrom('w1', 'w2'),
    begins,
    cancelAfter: fc.option(fc.integer({ min: 1, max: 14 }), { nil: null, freq: 2 }),
    zombie: fc.boolean(),
  });
}

function plays(options: { readonly resumes: boolean; readonly serial: boolean }): fc.Arbitrary<Play> {
  const begins = options.resumes
    ? fc.constantFrom('input' as const, 'resume' as const)
    : fc.constant('input' as const);
  return fc.record({
    thread: fc.constant('simulated' as ThreadId),
    nodes: fc.integer({ min: 1, max: 4 }).map((count) => nodeNames.slice(0, count)),
    runs: fc
      .integer({ min: 1, max: 4 })
      .chain((count) => fc.tuple(...Array.from({ length: count }, (_, index) => runPlan(index, begins)))),
    schedule: options.serial ? fc.constant([]) : fc.array(fc.nat({ max: 3 }), { maxLength: 60 }),
    minting: fc.constantFrom('counted' as const, 'unique' as const),
  });
}

/** Rules of a line: each node runs at least as often as the one after it. */
function lineRules(nodes: readonly NodeName[]): CountRule[] {
  return nodes.slice(1).map((node, at) => {
    const before = nodes[at] ?? node;
    return { left: [before], right: [node], constant: 0, text: `${before} >= ${node}` };
  });
}

function analyse(played: Played, nodes: readonly NodeName[]): ThreadReport {
  return analyseThread(played.evidence, { rules: lineRules(nodes) });
}

const sibling = (report: ThreadReport): string[] =>
  report.namespaces
    .flatMap((namespace) => namespace.forks)
    .map((fork) => `${fork.parent ?? ''}: ${fork.children.join(' ')}`)
    .sort();

function forksMade(played: Played): string[] {
  return [...played.saver.children]
    .filter(([, children]) => children.length > 1)
    .map(([parent, children]) => `${parent}: ${[...children].sort().join(' ')}`)
    .sort();
}

/** Effects that ended after their run was cancelled. */
function zombies(played: Played): number {
  const cancelled = new Map(played.evidence.runs?.map((run) => [run.run, run.cancelledMs]));
  return played.effects.filter((effect) => {
    const at = effect.run === null ? null : (cancelled.get(effect.run) ?? null);
    return at !== null && (effect.monotonicMs ?? 0) > at;
  }).length;
}

/** Effects that came before a cancellation and whose task never stored its writes. */
function cutOff(played: Played): number {
  const stored = new Set(played.evidence.rows.writes?.map((write) => `${write.checkpoint} ${write.task}`));
  return (
    played.effects.filter((effect) => !stored.has(`${effect.parent ?? ''} ${effect.task ?? ''}`)).length -
    zombies(played)
  );
}

describe('a serial saver', () => {
  test('yields no fork, no shared blob and no finding but the zombies and cut-off effects it truly has', () => {
    fc.assert(
      fc.property(plays({ resumes: false, serial: true }), (play) => {
        const played = simulate(play);
        const report = analyse(played, play.nodes);
        const kinds = report.findings
          .map((finding) => finding.kind)
          .filter((kind) => kind !== 'orphaned-write' && kind !== 'pending-write');
        const expected = [
          ...Array.from({ length: cutOff(played) }, () => 'unrecorded-effect'),
          ...Array.from({ length: zombies(played) }, () => 'zombie-effect'),
        ];
        expect(kinds.sort()).toEqual(expected.sort());
        expect(report.undecided).toHaveLength(played.evidence.rows.checkpoints.length === 0 ? 1 : 0);
      }),
      { numRuns: 100 },
    );
  });

  test('is valid, whatever resumes it and however often, when nothing is cancelled', () => {
    fc.assert(
      fc.property(plays({ resumes: true, serial: true }), (play) => {
        const calm = { ...play, runs: play.runs.map((run) => ({ ...run, cancelAfter: null })) };
        const played = simulate(calm);
        const report = analyse(played, play.nodes);
        expect(report.findings).toEqual([]);
        // A thread that was only ever resumed has no rows, and of no rows nothing is claimed.
        expect(report.verdict).toBe(played.evidence.rows.checkpoints.length === 0 ? 'unknown' : 'valid');
      }),
      { numRuns: 100 },
    );
  });
});

describe('a racing saver', () => {
  test('shows exactly the forks it made, NULL counted as a parent', () => {
    fc.assert(
      fc.property(plays({ resumes: true, serial: false }), (play) => {
        const played = simulate(play);
        expect(sibling(analyse(played, play.nodes))).toEqual(forksMade(played));
      }),
      { numRuns: 100 },
    );
  });

  test('is called a race at every fork, because only overlapping runs can have made one', () => {
    fc.assert(
      fc.property(plays({ resumes: true, serial: false }), (play) => {
        const report = analyse(simulate(play), play.nodes);
        for (const fork of report.namespaces.flatMap((namespace) => namespace.forks)) {
          expect(fork.verdict).toBe('race');
          expect(fork.declared).toBe(false);
        }
      }),
      { numRuns: 100 },
    );
  });

  test('loses exactly the blobs that the report calls shared; unique versions lose none', () => {
    fc.assert(
      fc.property(plays({ resumes: true, serial: false }), (play) => {
        const played = simulate(play);
        const pairs = analyse(played, play.nodes)
          .findings.filter((finding) => finding.kind === 'shared-blob')
          .flatMap((finding) => finding.details['pairs'] as { channel: string; version: string }[])
          .map(({ channel, version }) => `${channel} ${version}`);
        expect(pairs.sort()).toEqual([...played.saver.dropped].sort());
        if (play.minting === 'unique') expect(pairs).toEqual([]);
      }),
      { numRuns: 100 },
    );
  });
});

describe('the sums of executions', () => {
  test('add up: tree = head + hidden, head <= maxPath <= tree, and every logged execution is accounted for', () => {
    fc.assert(
      fc.property(plays({ resumes: true, serial: false }), (play) => {
        const played = simulate(play);
        const report = analyse(played, play.nodes);
        let committed = 0;
        for (const { executions, hidden, atMost } of report.namespaces) {
          expect(atMost).toEqual([]);
          committed += total(executions.tree);
          expect(total(executions.pending)).toBeLessThanOrEqual(played.effects.length);
          for (const [node, count] of executions.tree) {
            const head = executions.head.get(node) ?? 0;
            const most = executions.maxPath.get(node) ?? 0;
            expect(head + (hidden.get(node) ?? 0)).toBe(count);
            expect(head).toBeLessThanOrEqual(most);
            expect(most).toBeLessThanOrEqual(count);
          }
        }
        expect(committed).toBeLessThanOrEqual(played.effects.length);
        expect(report.findings.filter((finding) => finding.kind === 'unlogged-execution')).toEqual([]);
      }),
      { numRuns: 100 },
    );
  });

  test('do not depend on the order of rows, writes, blobs or log records', () => {
    fc.assert(
      fc.property(plays({ resumes: true, serial: false }), fc.infiniteStream(fc.nat()), (play, order) => {
        const played = simulate(play);
        const shuffled = <Item>(items: readonly Item[]): Item[] =>
          items
            .map((item) => [Number(order.next().value), item] as const)
            .sort((a, b) => a[0] - b[0])
            .map(([, item]) => item);
        const { rows, log, runs } = played.evidence;
        const mixed = analyseThread(
          {
            rows: {
              ...rows,
              checkpoints: shuffled(rows.checkpoints),
              blobs: shuffled(rows.blobs ?? []),
              writes: shuffled(rows.writes ?? []),
            },
            log,
            runs: shuffled(runs ?? []),
          },
          { rules: lineRules(play.nodes) },
        );
        expect(mixed).toEqual(analyse(played, play.nodes));
      }),
      { numRuns: 100 },
    );
  });
});

describe('a lossy log', () => {
  const lossyPlays = fc.tuple(plays({ resumes: false, serial: false }), fc.func(fc.boolean()), fc.boolean());

  test('is known to lack exactly the records it lost, first, middle and last', () => {
    fc.assert(
      fc.property(lossyPlays, ([play, loses, table]) => {
        const played = simulate(play);
        const { evidence, lost } = loseRecords(
          played,
          (effect) => loses(effect.worker, effect.sequence),
          table,
        );
        const health = logHealth(evidence.log?.effects ?? [], played.accounts);
        const missing = health.lost.flatMap(({ worker, missing: numbers }) =>
          numbers.map((number) => `${worker} ${number}`),
        );
        expect(missing.sort()).toEqual(
          lost.map(({ worker, sequence }) => `${worker ?? ''} ${sequence ?? 0}`).sort(),
        );
        expect(health.indeterminate).toEqual([]);
      }),
      { numRuns: 100 },
    );
  });

  test('never passes for a run that began in the middle of the graph', () => {
    fc.assert(
      fc.property(lossyPlays, ([play, loses, table]) => {
        const played = simulate(play);
        const { evidence } = loseRecords(played, (effect) => loses(effect.worker, effect.sequence), table);
        const report = analyseThread(evidence, { rules: lineRules(play.nodes) });
        for (const finding of report.findings) {
          if (finding.kind !== 'count-violation') continue;
          expect(finding.details['cause']).toMatch(/^(records-lost|cannot-tell)$/);
          expect(finding.severity).toBe('warning');
        }
      }),
      { numRuns: 100 },
    );
  });

  test('leaves no count violation with the cause open where the table holds what the log lost', () => {
    fc.assert(
      fc.property(lossyPlays, ([play, loses]) => {
        const played = simulate(play);
        const { evidence } = loseRecords(played, (effect) => loses(effect.worker, effect.sequence), true);
        const report = analyseThread(evidence, { rules: lineRules(play.nodes) });
        for (const finding of report.findings) {
          if (finding.kind === 'count-violation') expect(finding.details['cause']).toBe('records-lost');
        }
      }),
      { numRuns: 100 },
    );
  });

  test('with a killed worker has an indeterminate tail, not a loss', () => {
    const health = logHealth([], [{ worker: 'w1', finalSequence: null }]);
    expect(health).toEqual({ lost: [], indeterminate: ['w1'] });
  });
});
