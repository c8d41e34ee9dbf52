import { describe, expect, test } from 'vitest';
import { analyseThread } from '../analyse.ts';
import type { CheckpointRow } from '../model/checkpoint.ts';
import type { Effect } from '../model/effect.ts';
import type { ThreadEvidence } from '../model/evidence.ts';
import type { ThreadReport } from '../model/report.ts';
import type { RunRecord } from '../model/run.ts';

/**
 * Exit durability: `first` is cancelled when charge is due, `retry` resumes there and stores charge and notify in one
 * row. The shape of the rows is that of langgraph 1.7.3 with the JS Postgres saver.
 */
const thread = 't' as ThreadEvidence['rows']['thread'];
const [left, done] = [
  '1f1ed877-d7fc-6750-8001-1cdf7b518b29',
  '1f1ed877-dcea-6aa0-8003-d67b172600d1',
] as const;

function row(fields: {
  readonly id: string;
  readonly parent: string | null;
  readonly step: number;
  readonly run: string;
  readonly channels: Readonly<Record<string, number>>;
  readonly seen: Readonly<Record<string, Readonly<Record<string, number>>>>;
}): CheckpointRow {
  const { id, parent, step, run, channels, seen } = fields;
  const plain = {
    ...{ thread, namespace: '', id, parent, format: 4, timestamp: '2026-12-01T13:02:40.746Z', step, run },
    ...{ inlineValues: null, source: 'loop', parents: new Map(), metadata: new Map() },
    channelVersions: new Map(Object.entries(channels)),
    versionsSeen: new Map(Object.entries(seen).map(([node, of]) => [node, new Map(Object.entries(of))])),
  };
  return plain as unknown as CheckpointRow;
}

const start = { ['__start__']: { ['__start__']: 1 }, plan: { 'branch:to:plan': 2 } };
const rows: ThreadEvidence['rows'] = {
  thread,
  schema: null,
  blobs: [],
  writes: [],
  checkpoints: [
    row({
      ...{ id: left, parent: null, step: 1, run: 'first', seen: start },
      channels: { ['__start__']: 2, 'branch:to:plan': 3, 'branch:to:charge': 3 },
    }),
    row({
      ...{ id: done, parent: left, step: 3, run: 'retry' },
      channels: { ['__start__']: 2, 'branch:to:plan': 3, 'branch:to:charge': 4, 'branch:to:notify': 5 },
      seen: {
        ...start,
        charge: { 'branch:to:charge': 3 },
        notify: { 'branch:to:notify': 4 },
        ['__interrupt__']: { ['__start__']: 2, 'branch:to:plan': 3, 'branch:to:charge': 3 },
      },
    }),
  ],
};

function effect(run: string, node: string, parent: string, step: number, monotonicMs: number): Effect {
  const plain = {
    ...{ thread, node, run, parent, task: `task of ${node}`, namespace: '', step, attempt: 1 },
    ...{ wallMs: null, monotonicMs, worker: run, sequence: null, businessKey: null },
  };
  return plain as unknown as Effect;
}

const planned = effect('first', 'plan', 'never stored', 1, 5);
const charged = effect('retry', 'charge', left, 2, 30);
const notified = effect('retry', 'notify', 'never stored either', 3, 40);
const zombie = effect('first', 'charge', left, 2, 20);

function analyse(effects: readonly Effect[]): ThreadReport {
  const record = { thread, worker: 'w', outcome: 'cancelled', firstReadMs: 0, lastPutMs: 15, returned: null };
  const first = { ...record, run: 'first', cancelledMs: 10, error: null } as unknown as RunRecord;
  return analyseThread({ rows, log: { effects, table: null, health: null }, runs: [first] }, { rules: [] });
}

function committed(report: ThreadReport, node: string): number | undefined {
  return report.namespaces[0]?.executions.tree.get(node as never);
}

describe('a row of exit durability that stores several supersteps', () => {
  test('commits a task once: what a cancelled run executed beside the resumed one is a zombie', () => {
    for (const effects of [
      [planned, zombie, charged, notified],
      [planned, charged, zombie, notified],
    ]) {
      const report = analyse(effects);
      expect([committed(report, 'charge'), committed(report, 'notify')]).toEqual([1, 1]);
      expect(report.findings.map(({ kind }) => kind)).toEqual(['zombie-effect']);
    }
  });

  test('commits what an earlier run executed when the resumed one took it from stored writes', () => {
    const report = analyse([planned, zombie, notified]);
    expect(committed(report, 'charge')).toBe(1);
    expect(report.findings).toEqual([]);
  });
});
