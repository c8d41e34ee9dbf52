import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import type { ThreadReport } from '../model/report.ts';
import { prepareAnalysis } from '../prepare.ts';
import { corpusThreads, type CorpusThread } from './corpus.ts';
import { expectations, ordinary } from './expectations.ts';

const analyse = await prepareAnalysis({ rules: [] });
const sets = Object.keys(expectations);

function threadsOf(set: string): CorpusThread[] {
  const packed = readFileSync(new URL(`${set}.jsonl.gz`, import.meta.url));
  return corpusThreads(gunzipSync(packed).toString('utf8'));
}

const caseOf = (entry: CorpusThread): string => entry.truth?.case ?? entry.thread.slice(0, 30);

function summary(report: ThreadReport): string {
  const kinds = report.findings.map(({ kind, severity }) => `${kind}${severity === 'error' ? '!' : ''}`);
  const forks = report.namespaces.flatMap((namespace) =>
    namespace.forks.map((fork) => (fork.class === null ? fork.verdict : `${fork.class}/${fork.verdict}`)),
  );
  const parts = [report.verdict, report.status, forks.join('+') || '-', [...new Set(kinds)].join(' ') || '-'];
  return parts.join(' | ');
}

describe.each(sets)('every case of %s comes to what its maker says happened', (set) => {
  const expected = expectations[set] ?? {};
  const threads = threadsOf(set);

  test.each(threads.map((entry) => [caseOf(entry), entry] as const))('%s', async (name, entry) => {
    const allowed = Object.hasOwn(expected, name) ? (expected[name] ?? ordinary) : ordinary;
    expect([allowed].flat()).toContain(summary(await analyse(entry.evidence)));
  });

  test('and no case of the table is missing from the corpus', () => {
    expect(threads.map(caseOf)).toEqual(expect.arrayContaining(Object.keys(expected)));
  });
});

/** One task that took effect several times (a tool node logs each call), or a handler logged by another name. */
const oneTaskSeveralEffects = /^(?:messages-agent|react-agent|node-error-handler)$/;

describe.each(sets)('the counts of %s are the truth, or say why they are not', (set) => {
  test.each(threadsOf(set).map((entry) => [caseOf(entry), entry] as const))('%s', async (name, entry) => {
    const report = await analyse(entry.evidence);
    // Rows copied from another thread were executed there.
    if (report.verdict === 'unknown' || name === 'copy-target' || oneTaskSeveralEffects.test(name)) return;
    const executed = new Map(Object.entries(entry.truth?.executed ?? {}));
    const counted = new Map<string, number>();
    const add = (node: string, count: number): void => {
      counted.set(node, (counted.get(node) ?? 0) + count);
    };
    const bounded = new Set<string>();
    for (const { executions, atLeast, atMost } of report.namespaces) {
      for (const [node, count] of executions.tree) add(node, count);
      for (const [node, count] of executions.pending) add(node, count);
      for (const node of [...atLeast, ...atMost]) bounded.add(node);
    }
    for (const finding of report.findings) {
      if (finding.kind === 'orphaned-write') (finding.details['nodes'] as string[]).forEach((node) => { add(node, 1); });
      if (finding.kind === 'unrecorded-effect') add(String(finding.details['node']), 1);
      if (finding.kind === 'zombie-effect') add(String(finding.details['node']), 1);
    }
    for (const [node, count] of executed) {
      // A colon is forbidden in node names: such a label is a note about a node.
      if (!bounded.has(node) && !node.includes(':')) expect([node, counted.get(node) ?? 0]).toEqual([node, count]);
    }
  });
});

describe.each(sets)('what %s would run next', (set) => {
  test('is what the library’s own reader says, wherever the rows can tell', async () => {
    for (const entry of threadsOf(set)) {
      const report = await analyse(entry.evidence);
      const next = entry.truth?.next ?? null;
      // Before branch:to:X a node that never ran leaves no trace; then the status says that rows cannot tell.
      if (next === null || (set === 'old-0.2.20-js' && report.status !== 'terminal')) continue;
      expect([...report.next].sort(), entry.thread).toEqual([...next].sort());
    }
  });
});

