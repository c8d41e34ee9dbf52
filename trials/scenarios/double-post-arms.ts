/**
 * What can be done against two posts at once, and how it is got wrong. A mutant differs from its sound twin in one
 * detail, and stands with it and with `none` under the trigger that shows what the detail is worth. Easy to get wrong:
 * shares under a trigger are forced and say nothing about how often it happens by itself.
 */
import type { Charging } from '../provider.ts';
import { plainArm, type Arm, type NonEmpty, type QueueTerms, type Stage } from '../scenario.ts';
import {
  leftWhileOthersWait,
  twoOnOneWorker,
  twoThenOne,
  ownerStandsStill,
  twoFirstPosts,
  twoThreads,
  reaperDuringCharge,
  verySlowProvider,
} from './double-post-triggers.ts';

/** `none` and the remedies in the scenario's own race; the first is the baseline. */
const natural: NonEmpty<Arm> = [
  plainArm,
  ...[
    guarded('lock-wait', 'one run a thread by an advisory lock that the others wait for'),
    guarded('lock-reject', 'one run a thread by an advisory lock; others get 409'),
    guarded('lease', 'one run a thread by a lease with heartbeat and fencing token; others get 409'),
  ].map(prevents('fork', 'hidden charge', 'state overwritten')),
  prevents('state overwritten')({
    ...plainArm,
    name: 'unique-versions',
    summary: 'channel versions that no two runs share: against the overwrite, not the fork',
    versions: 'strings',
  }),
  shows('fork')(
    guarded('in-memory-busy', 'mutant of lock-reject: a set of busy threads in the memory of each worker'),
  ),
  charging('no-key', 'the charge is a call to a provider, without a key', 'none'),
  prevents('charged again')(
    charging('idempotency-key', 'the same, with an idempotency key from the request', 'request'),
  ),
  shows('charged again')(
    charging('minted-key', 'mutant of idempotency-key: the key is made inside the node', 'minted'),
  ),
  charging('read-then-write', 'mutant of idempotency-key: the charge is looked up first', 'look-up'),
];

/** A queue that takes a worker for dead after a second, and gives its run out once more. */
const hasty: QueueTerms = { expiresAfterSeconds: 1, redeliveries: 1 };

const forced: readonly Arm[] = [
  ...under('client leaves while others wait', leftWhileOthersWait, [
    plainArm,
    prevents('fork')(guarded('lock-wait', 'the lock is given back when the rows are stored')),
    shows('fork')(guarded('early-unlock', 'mutant: the lock is given back when the handler is done')),
  ]),
  ...under('saver with two connections', twoOnOneWorker, [
    { ...plainArm, smallSaverPool: true },
    prevents(
      'fork',
      'turned away',
    )({
      ...guarded('lock-wait-briefly', 'the lock has a pool of its own'),
      name: 'lock-wait',
      smallSaverPool: true,
    }),
    shows('turned away')({
      ...guarded(
        'saver-pool-lock',
        "mutant: the lock takes connections from the saver's pool, so that holder and waiter stand still until one gives up",
      ),
      smallSaverPool: true,
    }),
  ]),
  ...under('server ends idle transactions', null, [
    plainArm,
    prevents('fork')({
      ...guarded('lock-wait-idle-server', "the lock's transactions are exempt"),
      name: 'lock-wait',
    }),
    shows('fork')(
      guarded('lock-idle-timeout', 'mutant: the server ends the transaction that holds the lock'),
    ),
  ]),
  ...under('two first posts and a slow provider', twoFirstPosts, [
    charging('no-key', 'the charge is a call to a provider, without a key', 'none'),
    prevents('charged again')(
      charging('idempotency-key', 'the same, with an idempotency key from the request', 'request'),
    ),
    shows('charged again')(charging('minted-key', 'mutant: the key is made inside the node', 'minted')),
    shows('charged again')(charging('read-then-write', 'mutant: the charge is looked up first', 'look-up')),
  ]),
  ...under('owner stands still past its lease', ownerStandsStill, [
    { ...plainArm, isExclusive: true },
    prevents('fork')({
      ...guarded('lease', 'rows with an older fencing token are refused'),
      isExclusive: true,
    }),
    shows('fork')({
      ...guarded('lease-unfenced', 'mutant: nobody looks at the fencing token'),
      isExclusive: true,
    }),
  ]),
  ...under('two on one worker then one', twoThenOne, [
    plainArm,
    prevents(
      'fork',
      'shut out by nobody',
    )(guarded('lock-reject', 'the lock lives as long as a transaction on one connection')),
    shows('shut out by nobody')(
      guarded('session-lock-leak', 'mutant: locked and unlocked by queries on any connection of a pool'),
    ),
  ]),
  ...under('two threads whose ids share 32 bits of hash', twoThreads, [
    plainArm,
    prevents('false contention')(guarded('lock-reject', 'the key of the lock has 64 bits of hash')),
    shows('false contention')(
      guarded('lock-hash32', 'mutant: the key of the lock has 32 bits of hash, as hashtext gives'),
    ),
  ]),
  ...under('a reaper comes while the provider is slow', reaperDuringCharge, [
    charging('none', 'whoever goes on with a thread is let in', 'none'),
    prevents(
      'fork',
      'charged again',
    )({
      ...charging('lease', 'a live worker keeps its lease by a heartbeat', 'none'),
      guard: 'lease',
    }),
    shows('charged again')({
      ...charging(
        'naive-reaper',
        'mutant: a worker counts as dead when its newest checkpoint is old',
        'none',
      ),
      guard: 'naive-reaper',
    }),
  ]),
  ...under('a run takes longer than its queue gives it', verySlowProvider, [
    charging('none', 'no queue: the handler runs the graph', 'none'),
    prevents(
      'fork',
      'charged again',
    )(queued('patient-queue', 'a queue whose jobs expire after any run is over', {})),
    prevents(
      'fork',
      'charged again',
    )(
      queued('lease', 'the second delivery finds the lease of the first, which lives', {
        guard: 'lease',
        queue: hasty,
      }),
    ),
    prevents(
      'fork',
      'charged again',
    )(
      queued('lock-reject', 'the second delivery finds the lock of the first, which lives', {
        ...{ guard: 'lock-reject', queue: hasty },
      }),
    ),
    prevents('charged again')(
      queued('idempotency-key', 'both deliveries charge with one key', {
        ...{ queue: hasty, charging: { key: 'request', obeysSignal: false } },
      }),
    ),
    shows('charged again')(
      queued('redelivery', 'mutant: the queue gives the run out again while the first worker lives', {
        queue: hasty,
      }),
    ),
  ]),
];

/** All of them. */
export const doublePostArms: NonEmpty<Arm> = [...natural, ...forced];

/** A remedy. Where a trigger shows an anomaly at all, its mutant or the arm without a remedy does. */
function prevents(...anomalies: readonly string[]): (arm: Arm) => Arm {
  return (arm) => ({ ...arm, claim: { kind: 'prevents', anomalies } });
}

/** A mutant. */
function shows(anomaly: string): (arm: Arm) => Arm {
  return (arm) => ({ ...arm, claim: { kind: 'shows', anomaly } });
}

function guarded(guard: string, summary: string): Arm {
  return { ...plainArm, name: guard, summary, guard };
}

function charging(name: string, summary: string, key: Charging['key']): Arm {
  return { ...plainArm, name, summary, services: ['provider'], charging: { key, obeysSignal: false } };
}

function queued(name: string, summary: string, differing: Partial<Arm>): Arm {
  return {
    ...charging(name, summary, 'none'),
    ...{ services: ['provider', 'queue'], handler: 'out-of-process' },
    ...differing,
  };
}

function under(trigger: string, stages: NonEmpty<Stage> | null, arms: readonly Arm[]): readonly Arm[] {
  return arms.map((arm) => ({
    ...arm,
    name: `${arm.name}@${trigger.replaceAll(' ', '-')}`,
    trigger,
    stages,
  }));
}
