import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { outcomesOf } from '../outcomes.ts';
import { prepareAnalysis } from '../prepare.ts';
import { corpusThreads, type CorpusThread } from './corpus.ts';

const analyse = await prepareAnalysis({ rules: [] });

function threadsOf(set: string): CorpusThread[] {
  const packed = readFileSync(new URL(`${set}.jsonl.gz`, import.meta.url));
  return corpusThreads(gunzipSync(packed).toString('utf8'));
}

interface Expected {
  readonly counts: Readonly<Record<string, number>>;
  readonly classes: readonly string[];
}

const raced = { 'executed.plan': 3, 'executed.charge': 3, 'executed.finish': 2, 'tree.notify': 2 };

/** What ten trials of each race gave, every one the same. */
const expectations: Readonly<Record<string, Expected>> = {
  'race-js': {
    classes: ['double-input'],
    counts: { ...raced, 'executed.notify': 3, 'head.charge': 2, rows: 16, forks: 1, zombies: 1, sharedBlobs: 21 },
  },
  'race-exit-js': {
    classes: ['double-input'],
    counts: { ...raced, 'executed.notify': 3, 'head.charge': 2, rows: 3, forks: 1, zombies: 1, sharedBlobs: 7 },
  },
  'race-fresh-js': {
    classes: ['two-roots'],
    counts: { 'executed.plan': 2, 'executed.finish': 2, 'head.charge': 1, rows: 12, roots: 2, forks: 1, sharedBlobs: 20 },
  },
  'unique-js': {
    classes: ['double-input'],
    counts: { ...raced, 'executed.notify': 3, 'head.charge': 2, rows: 16, forks: 1, zombies: 1, sharedBlobs: 0 },
  },
  'race-py': {
    // Two of ten second inputs landed on what the first had written meanwhile.
    classes: ['double-input', 'input-during-run'],
    counts: { ...raced, 'executed.notify': 2, 'head.charge': 2, rows: 16, forks: 1, sharedBlobs: 0 },
  },
  'race-exit-py': {
    classes: ['two-roots'],
    counts: { 'executed.plan': 3, 'executed.charge': 3, rows: 2, roots: 2, forks: 1, sharedBlobs: 0 },
  },
};

describe.each(Object.entries(expectations))('every trial of %s', (set, expected) => {
  test.each(threadsOf(set).map((entry) => [entry.thread, entry] as const))(
    '%s is a race of the measured kind, with or without run records',
    async (_, entry) => {
      for (const evidence of [entry.evidence, entry.withRuns]) {
        const report = await analyse(evidence);
        const outcomes = outcomesOf(report, evidence);
        expect(report.verdict).toBe('invalid');
        expect(report.status).toBe('terminal');
        expect(report.namespaces[0]?.forks.map((fork) => fork.verdict)).toEqual(['race']);
        expect(expected.classes).toContain(outcomes.get('class'));
        for (const [key, value] of Object.entries(expected.counts)) {
          // Who cancelled what is known from run records alone; without them the effect is unrecorded.
          if (key === 'zombies') {
            const sum = Number(outcomes.get('zombies')) + Number(outcomes.get('unrecorded'));
            expect(sum, key).toBe(value);
            if (evidence.runs !== null) expect(outcomes.get(key), key).toBe(value);
          } else expect(outcomes.get(key), key).toBe(value);
        }
      }
    },
  );
});

test('half of all leaves of the JS races read back another run’s state, the very ones the truth names', async () => {
  for (const set of ['race-js', 'race-exit-js', 'race-fresh-js', 'unique-js']) {
    let misread = 0;
    for (const entry of threadsOf(set)) {
      const report = await analyse(entry.withRuns);
      const truth = entry.truth?.namespaces.flatMap(([, namespace]) => namespace.misread) ?? [];
      const wrong = truth.filter((leaf) => !leaf.equal).map((leaf) => leaf.checkpoint_id);
      expect(report.misreadLeaves?.map(({ leaf }): string => leaf)).toEqual(wrong);
      misread += wrong.length;
    }
    expect(misread).toBe(set === 'unique-js' ? 0 : 10);
  }
});

test('the leaf that stored values prove a victim is the leaf that its run’s returned state proves misread', async () => {
  for (const entry of threadsOf('race-js')) {
    const report = await analyse(entry.withRuns);
    const shared = report.findings.find((finding) => finding.kind === 'shared-blob');
    const victims = shared?.details['victims'] as readonly { leaf: string; channels: readonly string[] }[];
    const proven = victims.filter((victim) => victim.channels.length > 0).map((victim) => victim.leaf);
    expect(proven).toEqual(report.misreadLeaves?.map(({ leaf }) => leaf));
  }
});

describe.each(['clean-js', 'clean-py', 'lock-js', 'race-lock-py'])('%s', (set) => {
  test('has no fork, nothing hidden, and nothing found but the zombies of cancelled runs', async () => {
    for (const entry of threadsOf(set)) {
      const report = await analyse(entry.withRuns);
      const kinds = new Set(report.findings.map((finding) => finding.kind));
      kinds.delete('zombie-effect');
      expect([...kinds], entry.thread).toEqual([]);
      expect(report.namespaces.flatMap((namespace) => namespace.forks)).toEqual([]);
    }
  });
});
