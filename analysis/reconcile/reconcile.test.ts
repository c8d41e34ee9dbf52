import fc from 'fast-check';
import { expect, test } from 'vitest';
import { defaultInterval } from '#analysis/statistics/proportion.ts';
import { scoreSweep, type JudgedThread } from './confusion.ts';
import { answerOf, answers, judge, truths, type Answer, type Truth } from './truth.ts';

const finding = (kind: 'stalled-run' | 'ghost-run') =>
  ({
    kind,
    severity: 'warning',
    thread: 't',
    namespace: null,
    because: '',
    evidence: 'rows+ledger',
    witness: [],
    details: {},
  }) as unknown as Parameters<typeof answerOf>[0]['findings'][number];

test('a status that rows leave open is running where somebody holds the thread, else unknown', () => {
  const open = (cause: 'in-flight' | 'young' | 'undated') =>
    answerOf({ status: 'indeterminate', statusReason: { cause, because: '' }, findings: [] });
  expect(open('in-flight')).toBe('running');
  expect(open('young')).toBe('unknown');
  expect(open('undated')).toBe('unknown');
  expect(answerOf({ status: 'indeterminate', findings: [] })).toBe('unknown');
  expect(answerOf({ status: 'no-rows', findings: [] })).toBe('unseen');
});

test('a stalled run makes an open thread abandoned, and nothing else of a thread that rows decide', () => {
  expect(answerOf({ status: 'indeterminate', findings: [finding('stalled-run')] })).toBe('abandoned');
  expect(answerOf({ status: 'indeterminate', findings: [finding('ghost-run')] })).toBe('unknown');
  expect(answerOf({ status: 'interrupted', findings: [finding('stalled-run')] })).toBe('interrupted');
});

test('only calling something abandoned that is not is a false alarm, only abandoned threads can be missed', () => {
  expect(judge('running', 'abandoned')).toBe('false-alarm');
  expect(judge('breakpoint', 'abandoned')).toBe('false-alarm');
  expect(judge('breakpoint', 'interrupted')).toBe('right');
  expect(judge('abandoned', 'interrupted')).toBe('missed');
  expect(judge('abandoned', 'running')).toBe('missed');
  expect(judge('abandoned', 'unknown')).toBe('open');
  expect(judge('abandoned', 'unseen')).toBe('open');
  expect(judge('running', 'terminal')).toBe('wrong');
  expect(judge('interrupted', 'interrupted')).toBe('right');
});

test('every truth has exactly one answer among those that decide that is right', () => {
  for (const truth of truths) {
    expect(answers.filter((answer) => judge(truth, answer) === 'right')).toHaveLength(1);
  }
});

test('false alarms are counted over live and paused threads, finds over abandoned ones, with exact intervals', () => {
  const thread = (truth: Truth, answer: Answer): JudgedThread => ({ kind: truth, truth, answer });
  const score = scoreSweep(
    [
      thread('running', 'abandoned'),
      thread('running', 'running'),
      thread('breakpoint', 'interrupted'),
      thread('interrupted', 'unknown'),
      thread('cancelled', 'abandoned'),
      thread('terminal', 'terminal'),
      thread('abandoned', 'abandoned'),
      thread('abandoned', 'unknown'),
      thread('abandoned', 'interrupted'),
    ],
    defaultInterval,
  );
  expect(score.falseAlarms).toMatchObject({ count: 1, of: 4 });
  // Exact bounds of 1 of 4: Clopper and Pearson's own method, to four places.
  expect(score.falseAlarms?.interval.lower).toBeCloseTo(0.0063, 4);
  expect(score.falseAlarms?.interval.upper).toBeCloseTo(0.8059, 4);
  expect(score.endedCalledAbandoned).toMatchObject({ count: 1, of: 2 });
  expect(score.found).toMatchObject({ count: 1, of: 3 });
  expect(score.missed).toMatchObject({ count: 1, of: 3 });
  expect(score.abandonedLeftOpen).toMatchObject({ count: 1, of: 3 });
  expect(score.leftOpen).toMatchObject({ count: 2, of: 9 });
  expect(score.right).toMatchObject({ count: 4, of: 9 });
});

test('nothing measured has no proportion', () => {
  const score = scoreSweep([], defaultInterval);
  expect(score).toMatchObject({ matrix: [], kinds: [], falseAlarms: null, found: null, right: null });
});

const anyThread = fc.record({
  kind: fc.constantFrom('__proto__', 'killed', 'live'),
  truth: fc.constantFrom(...truths),
  answer: fc.constantFrom(...answers),
});

test('every thread is in one cell of the matrix and of the kinds, and order does not matter', () => {
  fc.assert(
    fc.property(fc.array(anyThread, { maxLength: 40 }), (threads) => {
      const score = scoreSweep(threads, defaultInterval);
      const sum = (rows: readonly { readonly told: ReadonlyMap<Answer, number> }[]) =>
        rows.flatMap(({ told }) => [...told.values()]).reduce((total, count) => total + count, 0);
      expect(sum(score.matrix)).toBe(threads.length);
      expect(sum(score.kinds)).toBe(threads.length);
      const { found, missed, abandonedLeftOpen } = score;
      expect((found?.count ?? 0) + (missed?.count ?? 0) + (abandonedLeftOpen?.count ?? 0)).toBe(
        threads.filter(({ truth }) => truth === 'abandoned').length,
      );
      const reversed = scoreSweep(threads.toReversed(), defaultInterval);
      expect({ ...reversed, kinds: score.kinds }).toEqual(score);
    }),
  );
});
