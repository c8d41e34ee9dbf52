import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { missingCharges, repeatedCharges, unknownCharges } from './account-gaps.ts';
import { callerRecord, providerCall, runRecord, thread } from './testing/provider-world.ts';
import { providerOutcomes } from './provider-outcomes.ts';

const charges = (calls: readonly { readonly made: { readonly charge: string } }[]) =>
  calls.map(({ made }) => made.charge);

describe('a charge that nobody knows of', () => {
  test('is one that no run was told of, whose own run says what it knows', () => {
    const account = [providerCall('a', 1), providerCall('b', 2)];
    const runs = [
      runRecord('a', [callerRecord('unknown')]),
      runRecord('b', [callerRecord('confirmed', { charge: 'ch_2' })]),
    ];
    const { unknown, undecided } = unknownCharges(account, runs);
    expect([charges(unknown), undecided]).toEqual([['ch_1'], []]);
  });

  test('is known when a later run is told of it by a repeated answer or a look-up', () => {
    const told = callerRecord('confirmed', { charge: 'ch_1', isReplayed: true });
    const runs = [runRecord('a', [callerRecord('unknown')]), runRecord('b', [told])];
    expect(unknownCharges([providerCall('a', 1)], runs)).toEqual({ unknown: [], undecided: [] });
  });

  test('is open where there is no record of the run that asked, and decided when another was told', () => {
    const account = [providerCall('gone', 1)];
    expect(charges(unknownCharges(account, []).undecided)).toEqual(['ch_1']);
    const told = runRecord('b', [callerRecord('confirmed', { charge: 'ch_1', isReplayed: true })]);
    expect(unknownCharges(account, [told]).undecided).toEqual([]);
  });
});

describe('a charge that only a caller knows of', () => {
  test('is one that it was told of first-hand and the account lacks', () => {
    const run = runRecord('a', [callerRecord('confirmed', { charge: 'ch_9' })]);
    expect(missingCharges([providerCall('a', 1)], [run]).map(({ record }) => record.charge)).toEqual([
      'ch_9',
    ]);
    expect(missingCharges([providerCall('a', 9)], [run])).toEqual([]);
  });

  test('is not judged when it was told again: another thread may have it', () => {
    const run = runRecord('a', [callerRecord('confirmed', { charge: 'ch_9', isReplayed: true })]);
    expect(missingCharges([], [run])).toEqual([]);
  });
});

/** Callers of one booking, each with a key or none, and whether its answer arrives. */
const caller = fc.record({
  key: fc.constantFrom('k', 'l', null),
  booking: fc.constantFrom('x', 'y'),
  arrives: fc.boolean(),
});

test('charges, told and untold, add up for any callers of a provider that charges a key once', () => {
  fc.assert(
    fc.property(fc.array(caller, { maxLength: 12 }), (callers) => {
      const madeFor = new Map<string, string>();
      const account: ReturnType<typeof providerCall>[] = [];
      const runs = callers.map(({ key, booking, arrives }, index) => {
        const keyOfBooking = key === null ? null : `${booking} ${key}`;
        const earlier = keyOfBooking === null ? undefined : madeFor.get(keyOfBooking);
        const charge = earlier ?? `ch_${index}`;
        if (keyOfBooking !== null) madeFor.set(keyOfBooking, charge);
        const made = earlier === undefined ? { charge, atMs: 20 } : null;
        account.push(providerCall(`r${index}`, index, { businessKey: booking, key: keyOfBooking, made }));
        const known = arrives ? { charge, isReplayed: earlier !== undefined } : {};
        return runRecord(`r${index}`, [
          callerRecord(arrives ? 'confirmed' : 'unknown', {
            businessKey: booking,
            key: keyOfBooking,
            ...known,
          }),
        ]);
      });
      const outcomes = providerOutcomes(thread, account, runs);
      const total = Number(outcomes.get('provider.charge') ?? 0);
      const told = new Set(runs.flatMap(({ calls }) => calls?.map(({ charge }) => charge)));
      told.delete(null);
      expect(Number(outcomes.get('unknownCharges') ?? 0) + told.size).toBe(total);
      expect(outcomes.get('missingCharges') ?? 0).toBe(0);
      // A caller that the provider has heard of always learns, in the account, that it was charged.
      for (const [request, status] of outcomes) {
        if (request.startsWith('effect.')) expect(['confirmed', 'unknown, charged']).toContain(status);
      }
      const bookings = new Set(account.filter(({ made }) => made !== null).map((call) => call.businessKey));
      const repeated = repeatedCharges(account);
      const extra = repeated.reduce((sum, { calls }) => sum + calls.length - 1, 0);
      expect(total - extra).toBe(bookings.size);
    }),
  );
});

test('a thread that called no provider has no outcomes of one', () => {
  expect(providerOutcomes(thread, [], [runRecord('t/a', [])]).size).toBe(0);
});

test('one line tells what the run that came first knew, whatever order runs are told in, and who was charged', () => {
  const later = { ...runRecord('b', [callerRecord('confirmed', { charge: 'ch_2' })]), firstReadMs: 50 };
  const account = [providerCall('a', 1), providerCall('b', 2)];
  for (const runs of [
    [lostFirst, later],
    [later, lostFirst],
  ]) {
    expect(providerOutcomes(thread, account, runs).get('account')).toBe('unknown, 2 charged');
  }
});

const lostFirst = runRecord('a', [callerRecord('unknown')]);

test('outcomes name a request without its thread, and count a node that was never charged', () => {
  const run = runRecord('t/first', [callerRecord('refused')], 15);
  const account = [providerCall('t/first', 1, { made: null })];
  expect([...providerOutcomes(thread, account, [run])]).toEqual([
    ['account', 'refused, 0 charged'],
    ['provider.charge', 0],
    ['effect.first', 'refused'],
    ['abort.first', 'before the charge'],
    ['repeatedCharges', 0],
    ['unknownCharges', 0],
    ['missingCharges', 0],
  ]);
});
