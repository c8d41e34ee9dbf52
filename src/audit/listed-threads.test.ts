import { expect, test } from 'vitest';
import type { Finding } from '#analysis/model/finding.ts';
import type { ThreadReport } from '#analysis/model/report.ts';
import { isCandidate, isListed } from './listed-threads.ts';

type Looked = Pick<ThreadReport, 'findings' | 'namespaces' | 'verdict'>;

function thread(
  verdict: ThreadReport['verdict'],
  fork: 'race' | 'undetermined' | null,
  ...kinds: [string, string][]
): Looked {
  const findings = kinds.map(([kind, severity]) => ({ kind, severity }) as unknown as Finding);
  const forks = fork === null ? [] : [{ declared: false, verdict: fork }];
  return { verdict, findings, namespaces: [{ forks }] as unknown as Looked['namespaces'] };
}

const ordinary = thread('valid', null);
const copied = thread('valid', null, ['declared-fork', 'info']);
const raced = thread('invalid', 'race', ['undeclared-fork', 'error']);
const open = thread('unknown', 'undetermined', ['undeclared-fork', 'warning']);
const threads = [ordinary, copied, raced, open];

test('without a wish, warnings and errors are listed, and what is not valid can be among the worst', () => {
  expect(threads.filter((each) => isListed(each, { all: false, only: null }))).toEqual([raced, open]);
  expect(threads.filter((each) => isCandidate(each, { all: false, only: null }))).toEqual([raced, open]);
});

test('all are listed on request', () => {
  expect(threads.filter((each) => isListed(each, { all: true, only: null }))).toEqual(threads);
});

test.each<[readonly ('race' | 'undeclared-fork' | 'declared-fork')[], readonly Looked[]]>([
  [['race'], [raced]],
  [['undeclared-fork'], [raced, open]],
  [['declared-fork'], [copied]],
  [
    ['declared-fork', 'race'],
    [copied, raced],
  ],
])('only %j', (only, expected) => {
  const listing = { all: false, only };
  expect(threads.filter((each) => isListed(each, listing))).toEqual(expected);
  expect(threads.filter((each) => isCandidate(each, listing))).toEqual(expected);
});
