import { describe, expect, test } from 'vitest';
import { abortMomentOf } from './abort-moment.ts';
import { statusOfRun } from './effect-status.ts';
import { callerRecord, providerCall, runRecord } from './testing/provider-world.ts';

describe('what a run knows of its charge', () => {
  test('is no call where no node came so far', () => {
    expect(statusOfRun(runRecord('a', []), [])).toBe('no call');
    expect(statusOfRun({ ...runRecord('a', []), calls: undefined }, [])).toBe('no call');
  });

  test.each(['confirmed', 'refused', 'unsent'] as const)('is %s where the caller says so', (knows) => {
    expect(statusOfRun(runRecord('a', [callerRecord(knows)]), [providerCall('a', 1)])).toBe(knows);
  });

  test.each([
    ['its own call charged', null, providerCall('a', 1), 'unknown, charged'],
    ['its own call charged nothing', null, providerCall('a', 1, { made: null }), 'unknown, not charged'],
    ['only another run was charged for it', null, providerCall('b', 1), 'unknown, not charged'],
    ['its key was charged for another run', 'k', providerCall('b', 1, { key: 'k' }), 'unknown, charged'],
    ['another key was charged', 'k', providerCall('b', 1, { key: 'other' }), 'unknown, not charged'],
  ] as const)('is unknown, and resolved by the account, where %s', (_, key, call, status) => {
    expect(statusOfRun(runRecord('a', [callerRecord('unknown', { key })]), [call])).toBe(status);
  });

  test('is the worst of several calls: one that is unknown outweighs one that is confirmed', () => {
    const calls = [callerRecord('confirmed'), callerRecord('unknown'), callerRecord('refused')];
    expect(statusOfRun(runRecord('a', calls), [])).toBe('unknown, not charged');
  });
});

describe('where an abort fell', () => {
  const account = [providerCall('a', 1)];
  test.each([
    [8, 'before the request'],
    [15, 'before the charge'],
    [20, 'after the charge'],
    [25, 'after the charge'],
    [32, 'after the answer'],
  ] as const)('at %i ms: %s', (cancelledMs, moment) => {
    expect(abortMomentOf(runRecord('a', [callerRecord('confirmed')], cancelledMs), account)).toBe(moment);
  });

  test('is in the call that it ended, though the call ends a moment later or earlier', () => {
    for (const endedMs of [14.9, 15.1]) {
      const run = runRecord('a', [callerRecord('unknown', { endedMs })], 15);
      expect(abortMomentOf(run, account)).toBe('before the charge');
    }
  });

  test('is before the request where no call was made or none left, and nowhere without an abort', () => {
    expect(abortMomentOf(runRecord('a', [], 15), [])).toBe('before the request');
    expect(abortMomentOf(runRecord('a', [callerRecord('unsent', { sentMs: null })], 15), [])).toBe(
      'before the request',
    );
    expect(abortMomentOf(runRecord('a', [callerRecord('confirmed')]), account)).toBeNull();
  });
});
