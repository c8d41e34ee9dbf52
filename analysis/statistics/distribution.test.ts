import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { InvariantBroken } from '#analysis/model/bug.ts';
import type { ThreadId } from '#analysis/model/identifiers.ts';
import type { OutcomeValue, Trial } from '#analysis/model/trial.ts';
import { clopperPearson } from './clopper-pearson.ts';
import { ArmTally, summariseArm } from './distribution.ts';
import { compareOutcomeValues, outcomeKeyOrder } from './outcome-order.ts';
import { defaultInterval } from './proportion.ts';

const thread = 't' as ThreadId;
const completed = (outcomes: Record<string, OutcomeValue>, overlapped: boolean | null = null): Trial => ({
  kind: 'completed',
  trial: 1,
  thread,
  outcomes: new Map(Object.entries(outcomes)),
  overlapped,
});
const aborted = (reason: string): Trial => ({ kind: 'aborted', trial: 1, thread, reason });

const anyTrial: fc.Arbitrary<Trial> = fc.oneof(
  fc
    .record({
      outcomes: fc.dictionary(
        fc.constantFrom('executed.plan', 'executed.charge', 'rows', 'class', '__proto__', 'own.key'),
        fc.oneof(fc.integer({ min: 0, max: 3 }), fc.constantFrom('two-roots', 'double-input'), fc.boolean()),
      ),
      overlapped: fc.constantFrom(true, false, null),
    })
    .map(({ outcomes, overlapped }) => completed(outcomes, overlapped)),
  fc.constantFrom('worker died', 'database gone').map(aborted),
);

describe('the summary of an arm', () => {
  it('counts completed trials and lists aborted ones apart with their reasons', () => {
    const summary = summariseArm(
      'async',
      [
        completed({ 'executed.charge': 3, forks: 1 }, true),
        aborted('worker 7 exited with SIGKILL'),
        completed({ 'executed.charge': 2, forks: 1 }, false),
        aborted('a deadline passed'),
        completed({ 'executed.charge': 3, forks: 1 }, true),
        aborted('worker 7 exited with SIGKILL'),
      ],
      defaultInterval,
    );
    expect(summary).toEqual({
      arm: 'async',
      trials: 6,
      completed: 3,
      aborted: 3,
      abortReasons: [
        { reason: 'worker 7 exited with SIGKILL', count: 2 },
        { reason: 'a deadline passed', count: 1 },
      ],
      overlapped: { count: 2, of: 3 },
      outcomes: [
        {
          key: 'executed.charge',
          values: [
            { value: 3, count: 2, of: 3, interval: clopperPearson(2, 3, 0.95) },
            { value: 2, count: 1, of: 3, interval: clopperPearson(1, 3, 0.95) },
          ],
        },
        { key: 'forks', values: [{ value: 1, count: 3, of: 3, interval: clopperPearson(3, 3, 0.95) }] },
      ],
    });
  });

  it('counts a key over the trials that report it', () => {
    const { outcomes } = summariseArm(
      'a',
      [completed({ class: 'two-roots' }), completed({})],
      defaultInterval,
    );
    expect(outcomes).toMatchObject([{ key: 'class', values: [{ value: 'two-roots', count: 1, of: 1 }] }]);
  });

  it('keeps 1, "1" and true apart', () => {
    const { outcomes } = summariseArm(
      'a',
      [completed({ status: 1 }), completed({ status: '1' }), completed({ status: true })],
      defaultInterval,
    );
    expect(outcomes[0]?.values.map(({ value }) => value)).toEqual([1, '1', true]);
  });

  it('has no overlap to report where no trial could tell, and nothing at all before the first trial', () => {
    expect(summariseArm('a', [completed({ rows: 6 })], defaultInterval).overlapped).toBeNull();
    expect(new ArmTally('a').summary(defaultInterval)).toEqual({
      arm: 'a',
      trials: 0,
      completed: 0,
      aborted: 0,
      abortReasons: [],
      overlapped: null,
      outcomes: [],
    });
  });

  it('refuses outcomes that cannot be counted and tallies of another arm', () => {
    expect(() => summariseArm('a', [completed({ rows: Number.NaN })], defaultInterval)).toThrow(
      InvariantBroken,
    );
    expect(() => {
      new ArmTally('a').merge(new ArmTally('b'));
    }).toThrow(InvariantBroken);
  });

  it('does not depend on the order of trials, nor on how a series is split among tallies', () => {
    fc.assert(
      fc.property(
        fc.array(anyTrial, { maxLength: 30 }).chain((trials) =>
          fc.record({
            trials: fc.constant(trials),
            shuffled: fc.shuffledSubarray(trials, { minLength: trials.length }),
            cut: fc.nat(trials.length),
          }),
        ),
        ({ trials, shuffled, cut }) => {
          const whole = summariseArm('a', trials, defaultInterval);
          const first = new ArmTally('a');
          const second = new ArmTally('a');
          for (const trial of shuffled.slice(0, cut)) first.add(trial);
          for (const trial of shuffled.slice(cut)) second.add(trial);
          second.merge(first);
          expect(second.summary(defaultInterval)).toEqual(whole);
        },
      ),
    );
  });

  it('loses no trial: the counts of a key add up to its trials, completed and aborted to all', () => {
    fc.assert(
      fc.property(fc.array(anyTrial, { maxLength: 30 }), (trials) => {
        const summary = summariseArm('a', trials, defaultInterval);
        expect(summary.completed + summary.aborted).toBe(trials.length);
        for (const { key, values } of summary.outcomes) {
          const reporting = trials.filter((trial) => trial.kind === 'completed' && trial.outcomes.has(key));
          expect(values.reduce((sum, { count }) => sum + count, 0)).toBe(reporting.length);
          for (const { of } of values) expect(of).toBe(reporting.length);
        }
      }),
    );
  });

  it('counts 100,000 trials one by one', () => {
    const tally = new ArmTally('a');
    for (let trial = 0; trial < 100_000; trial += 1) tally.add(completed({ rows: trial % 4 }, true));
    expect(tally.summary(defaultInterval)).toMatchObject({
      trials: 100_000,
      overlapped: { count: 100_000, of: 100_000 },
      outcomes: [
        { key: 'rows', values: [0, 1, 2, 3].map((value) => ({ value, count: 25_000, of: 100_000 })) },
      ],
    });
  });
});

describe('the order of outcome keys and values', () => {
  it('goes from what ran to where the thread stands, nodes as the graph orders them', () => {
    const keys = [
      'status',
      'custom',
      'head.plan',
      'executed.__proto__',
      'forks',
      'executed.charge',
      'rows',
      'executed.plan',
      'hidden.a.b',
      'lostRecords',
      'class',
      'executed.audit',
    ];
    expect([...keys].sort(outcomeKeyOrder(['plan', 'charge']))).toEqual([
      'executed.plan',
      'executed.charge',
      'executed.__proto__',
      'executed.audit',
      'head.plan',
      'hidden.a.b',
      'rows',
      'forks',
      'class',
      'lostRecords',
      'status',
      'custom',
    ]);
  });

  it('puts numbers before text before booleans, each ascending', () => {
    expect([true, 'b', 10, false, 'a', 9].sort(compareOutcomeValues)).toEqual([9, 10, 'a', 'b', false, true]);
  });

  it('is a total order on distinct keys', () => {
    const key = fc.oneof(
      fc.constantFrom('executed.a', 'executed', 'executed.', 'rows', 'x.y', ''),
      fc.string(),
    );
    fc.assert(
      fc.property(key, key, key, (a, b, c) => {
        const compare = outcomeKeyOrder(['a']);
        expect(Math.sign(compare(a, b))).toBe(-Math.sign(compare(b, a)) + 0);
        expect(compare(a, b) === 0).toBe(a === b);
        if (compare(a, b) <= 0 && compare(b, c) <= 0) expect(compare(a, c)).toBeLessThanOrEqual(0);
      }),
    );
  });
});
