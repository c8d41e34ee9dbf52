import { expect, test } from 'vitest';
import { findingKinds } from '#analysis/model/finding.ts';
import type { NodeName } from '#analysis/model/identifiers.ts';
import { emptyTotals } from '#analysis/totals.ts';
import { brokenSentence, brokenThresholds, parseFailOn, type Threshold } from './fail-on.ts';
import { SourceTally, type SourceSummary } from './thread-verdicts.ts';

function parsed(text: string): readonly Threshold[] {
  const result = parseFailOn(text);
  if (result.kind === 'refused') throw new Error(result.message);
  return result.thresholds;
}

const node = {
  tree: 9,
  head: 5,
  maxPath: 5,
  hidden: 4,
  pending: 1,
  log: 10,
  unrecorded: 2,
  unlogged: 0,
  atLeast: false,
  atMost: false,
};
const summary: SourceSummary = {
  ...new SourceTally().summary,
  totals: {
    ...emptyTotals(),
    threads: 20,
    forks: 5,
    declaredForks: 2,
    undeclaredForks: 3,
    findings: new Map([
      ['undeclared-fork', 3],
      ['shared-blob', 7],
    ]),
  },
  races: 1,
  verdicts: { valid: 17, unknown: 2, invalid: 1 },
  nodes: new Map([
    ['charge' as NodeName, node],
    ['__proto__' as NodeName, { ...node, hidden: 3 }],
  ]),
};

test('a bare name accepts none, > accepts the number itself, >= does not', () => {
  expect(parsed('race, hidden>10 ,forks >= 3')).toEqual([
    { text: 'race', measure: 'race', most: 0 },
    { text: 'hidden>10', measure: 'hidden', most: 10 },
    { text: 'forks >= 3', measure: 'forks', most: 2 },
  ]);
});

test('every kind of finding has a threshold', () => {
  for (const kind of findingKinds)
    expect(parsed(`${kind}>3`)).toEqual([{ text: `${kind}>3`, measure: kind, most: 3 }]);
});

test.each([
  ['', 'nothing between'],
  ['race,,hidden', 'nothing between'],
  ['races', 'nothing called races'],
  ['hidden<3', 'neither a name nor a bound'],
  ['hidden>', 'neither a name nor a bound'],
  ['hidden>-1', 'neither a name nor a bound'],
  ['hidden>1.5', 'neither a name nor a bound'],
  ['hidden>=0', 'always broken'],
  ['__proto__', 'neither a name'],
  ['constructor', 'nothing called constructor'],
])('%j is refused', (text, message) => {
  expect(parseFailOn(text)).toMatchObject({
    kind: 'refused',
    message: expect.stringContaining(message) as string,
  });
});

test.each([
  ['race', 1],
  ['undeclared-fork', 3],
  ['forks', 5],
  ['hidden', 7],
  ['unrecorded', 4],
  ['pending', 2],
  ['unknown', 2],
  ['shared-blob', 7],
])('%s is broken by more than is accepted, and not by as many', (name, count) => {
  expect(brokenThresholds(parsed(`${name}>${count}`), summary)).toEqual([]);
  expect(brokenThresholds(parsed(`${name}>=${count}`), summary)).toMatchObject([{ count }]);
  expect(brokenThresholds(parsed(`${name}>${count - 1}`), summary)).toMatchObject([{ count }]);
});

test('what was not found breaks nothing', () => {
  expect(brokenThresholds(parsed('unlogged,zombie-effect,poison'), summary)).toEqual([]);
});

test('a sentence says which threshold broke and by how much', () => {
  const [hidden, race] = brokenThresholds(parsed('hidden>2,race'), summary).map(brokenSentence);
  expect(hidden).toBe('--fail-on hidden>2 is broken: 7 hidden executions; 5 more than the 2 accepted.');
  expect(race).toBe('--fail-on race is broken: 1 undeclared forks proved to be races; none is accepted.');
});
