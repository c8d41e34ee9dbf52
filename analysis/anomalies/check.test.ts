import { describe, expect, test } from 'vitest';
import { findingKinds } from '../model/finding.ts';
import type { ThreadId } from '../model/identifiers.ts';
import { catalogue } from './catalogue.ts';
import { check, detectors } from './check.ts';
import { nothingFound } from './facts.ts';
import { gatherFacts } from './gather.ts';

const empty = gatherFacts(
  {
    rows: { thread: 't' as ThreadId, schema: null, checkpoints: [], blobs: [], writes: [] },
    log: null,
    runs: null,
  },
  { rules: [] },
  { hashes: null, explainStarts: null },
);

describe('checking a thread', () => {
  test('turns a detector that throws into an open question, and lets the others speak', () => {
    const fails = (): never => {
      throw new RangeError('row 7 of 3');
    };
    const speaks = (): ReturnType<typeof check> => ({
      findings: [],
      undecided: [{ question: 'q', reason: 'r' }],
    });
    const detection = check(
      empty,
      new Map([
        ['broken', fails],
        ['honest', speaks],
        ['silent', () => nothingFound],
      ]),
    );
    expect(detection.undecided).toEqual([
      { question: 'what the detector of broken would find', reason: 'it failed: row 7 of 3' },
      { question: 'q', reason: 'r' },
    ]);
  });

  test('finds nothing in a thread without rows, with any detector', () => {
    expect(check(empty)).toEqual(nothingFound);
    expect(detectors.size).toBeGreaterThan(10);
  });
});

test('the catalogue defines every kind of finding, and nothing else', () => {
  expect(Object.keys(catalogue)).toEqual([...findingKinds]);
  for (const { definition, source, title } of Object.values(catalogue)) {
    for (const text of [definition, source, title]) expect(text.length).toBeGreaterThan(5);
  }
});
