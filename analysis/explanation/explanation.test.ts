import { describe, expect, test } from 'vitest';
import { analyseThread } from '../analyse.ts';
import { relabelling, rename } from '../lineage/relabel.ts';
import type { NodeName, RunToken, ThreadId } from '../model/identifiers.ts';
import { simulate } from '../simulation/simulate.ts';
import { narrate, witnessOf } from './narration.ts';

const run = (name: string): Parameters<typeof simulate>[0]['runs'][number] => ({
  run: name as RunToken,
  worker: name,
  begins: 'input',
  cancelAfter: null,
  zombie: false,
});

const { evidence } = simulate({
  thread: 'booking' as ThreadId,
  nodes: ['plan', 'a "quoted"\u001b node'] as NodeName[],
  runs: [run('z'), run('a'), run('b')],
  schedule: [...Array.from({ length: 40 }, () => 0), 1, 2],
  minting: 'counted',
});

describe('a double input', () => {
  test('is told with its verdict, its findings and the ids they rest on', () => {
    const report = analyseThread(evidence, { rules: [] });
    const ids = relabelling('c');
    for (const { id } of evidence.rows.checkpoints) ids.name(id);
    const story = String(rename(narrate(report), ids.names)).split('\n');
    expect(story[0]).toBe('Thread booking is invalid: 12 checkpoints, terminal.');
    expect(story[1]).toMatch(/^error: Undeclared fork: c4 has 2 children: runs a and b overlapped/);
    expect(witnessOf(report.findings)).toEqual(expect.arrayContaining([evidence.rows.checkpoints[3]?.id]));
  });

  test('is found the same when threads and nodes are renamed first', () => {
    const names = new Map([
      ['booking', 't1'],
      ['plan', 'n1'],
    ]);
    const renamed = simulate({
      thread: 't1' as ThreadId,
      nodes: ['n1', 'a "quoted"\u001b node'] as NodeName[],
      runs: [run('z'), run('a'), run('b')],
      schedule: [...Array.from({ length: 40 }, () => 0), 1, 2],
      minting: 'counted',
    });
    expect(analyseThread(renamed.evidence, { rules: [] })).toEqual(
      rename(analyseThread(evidence, { rules: [] }), names),
    );
  });
});
