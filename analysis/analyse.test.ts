import { describe, expect, test } from 'vitest';
import { addToTotals, analyseThread, emptyTotals } from './analyse.ts';
import type { CheckpointRow } from './model/checkpoint.ts';
import type { NodeName, ThreadId } from './model/identifiers.ts';
import type { ThreadReport } from './model/report.ts';
import { decodeCheckpoint } from './rows/decode-checkpoint.ts';

const id = (at: number): string => `1f1ed063-05b6-6a00-8000-${String(at).padStart(12, '0')}`;

function row(at: number, parent: number | null, source: string, step: number, seen: number): CheckpointRow {
  return decodeCheckpoint({
    thread_id: 'large',
    checkpoint_ns: '',
    checkpoint_id: id(at),
    parent_checkpoint_id: parent === null ? null : id(parent),
    checkpoint: {
      v: 4,
      ts: '2026-11-30T21:37:06.208Z',
      channel_versions: { steps: seen + 1, 'branch:to:work': seen + 1 },
      versions_seen: { work: { 'branch:to:work': seen } },
    },
    metadata: { source, step, parents: {} },
  });
}

function analyse(checkpoints: readonly CheckpointRow[]): ThreadReport {
  const thread = 'large' as ThreadId;
  return analyseThread(
    { rows: { thread, schema: null, checkpoints, blobs: [], writes: [] }, log: null, runs: null },
    { rules: [] },
  );
}

describe('threads of any size', () => {
  test('are analysed without recursion: a chain of 100,000 checkpoints', () => {
    const chain = Array.from({ length: 100_000 }, (_, at) =>
      row(at, at === 0 ? null : at - 1, at === 0 ? 'input' : 'loop', at - 1, at),
    );
    const [namespace] = analyse(chain.toReversed()).namespaces;
    expect(namespace?.executions.tree.get('work' as NodeName)).toBe(99_999);
    expect(namespace?.executions.head.get('work' as NodeName)).toBe(99_999);
    expect(namespace?.headLineage).toHaveLength(100_000);
  });

  test('are analysed without comparing every pair: a star of 10,000 children', () => {
    const star = [
      row(0, null, 'input', -1, 0),
      ...Array.from({ length: 10_000 }, (_, at) => row(at + 1, 0, 'loop', 0, 1)),
    ];
    const report = analyse(star);
    const [fork] = report.namespaces[0]?.forks ?? [];
    expect(fork?.children).toHaveLength(10_000);
    expect(report.namespaces[0]?.executions.tree.get('work' as NodeName)).toBe(10_000);
    expect(report.namespaces[0]?.leaves).toHaveLength(10_000);
  });
});

test('totals are a fold over reports, in any order', () => {
  const reports = [
    analyse([row(0, null, 'input', -1, 0), row(1, 0, 'loop', 0, 1), row(2, 0, 'update', 0, 1)]),
    analyse([row(0, null, 'input', -1, 0)]),
    analyse([]),
  ];
  const totals = reports.reduce(addToTotals, emptyTotals());
  expect(totals).toEqual(reports.toReversed().reduce(addToTotals, emptyTotals()));
  expect(totals).toMatchObject({ threads: 3, namespaces: 2, checkpoints: 4, forks: 1, declaredForks: 1 });
  expect(totals.findings.get('declared-fork')).toBe(1);
});
