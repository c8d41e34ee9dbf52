/**
 * What can be done against two posts at once, and how it is got wrong. A mutant differs from its sound twin in one
 * detail, and stands with it and with `none` under the trigger that shows what the detail is worth. Easy to get wrong:
 * shares under a trigger are forced and say nothing about how often it happens by itself.
 */
import { noFaults, type Charging } from '../provider.ts';
import {
  plainArm,
  type Arm,
  type NonEmpty,
  type QueueTerms,
  type ServiceFaults,
  type Stage,
} from '../scenario.ts';
import { post, postAndLeave, resume } from './requests.ts';

/** `none` and the remedies in the scenario's own race; the first is the baseline. */
const natural: NonEmpty<Arm> = [
  plainArm,
  guarded('lock-wait', 'one run a thread by an advisory lock that the others wait for'),
  guarded('lock-reject', 'one run a thread by an advisory lock; others get 409'),
  guarded('lease', 'one run a thread by a lease with heartbeat and fencing token; others get 409'),
  {
    ...plainArm,
    name: 'unique-versions',
    summary: 'channel versions that no two runs share: against the overwrite, not the fork',
    versions: 'strings',
  },
  guarded('in-memory-busy', 'mutant of lock-reject: a set of busy threads in the memory of each worker'),
  charging('no-key', 'the charge is a call to a provider, without a key', 'none'),
  charging('idempotency-key', 'the same, with an idempotency key from the request', 'request'),
  charging('minted-key', 'mutant of idempotency-key: the key is made inside the node', 'minted'),
  charging('read-then-write', 'mutant of idempotency-key: the charge is looked up first', 'look-up'),
];

/** Both retries wait, or are turned away, before the first client leaves. */
const leftWhileOthersWait: NonEmpty<Stage> = [
  {
    requests: [
      postAndLeave('first', 2),
      { ...post('retry-a'), offsetMs: 200 },
      { ...post('retry-b'), offsetMs: 200 },
    ],
    settle: 'run-ended',
  },
];

/** Two posts on one worker, whose saver has two connections. */
const twoOnOneWorker: NonEmpty<Stage> = [
  { requests: [post('retry-a'), post('retry-b')], settle: 'run-ended', isOnOneWorker: true },
];

/** Two posts on one worker; when both are over, a third, which nobody is there to turn away. */
const twoThenOne: NonEmpty<Stage> = [
  { requests: [post('retry-a'), post('retry-b')], settle: 'run-ended', isOnOneWorker: true },
  { requests: [post('late')], settle: 'run-ended' },
];

/** The first worker stands still from chunk 1 on until a retry, which finds the lease (5 s) expired, is over. */
const ownerStandsStill: NonEmpty<Stage> = [
  {
    requests: [
      { ...post('first'), pausesWorker: { afterChunk: 1, forMs: 12_000 }, mayFail: true },
      { ...post('retry-a'), offsetMs: 7000 },
    ],
    settle: 'run-ended',
  },
];

/** Two first posts at once, and a provider that takes its time before it charges. */
const slowProvider: ServiceFaults = { provider: { ...noFaults, commitAfterMs: 500 } };
const twoFirstPosts: NonEmpty<Stage> = [
  {
    requests: [
      { ...post('retry-a'), faults: slowProvider },
      { ...post('retry-b'), faults: slowProvider },
    ],
    settle: 'run-ended',
  },
];

/** Two posts at once to two threads that have nothing in common but 32 bits of hash. */
const twoThreads: NonEmpty<Stage> = [
  { requests: [post('retry-a'), { ...post('stranger'), isOnNeighbour: true }], settle: 'run-ended' },
];

/** A run waits for the provider, in a superstep that began long ago, when a reaper goes on with its thread. */
const reaperDuringCharge: NonEmpty<Stage> = [
  {
    requests: [
      { ...post('first'), faults: { provider: { ...noFaults, commitAfterMs: 4000 } } },
      { ...resume('reaper'), offsetMs: 2500 },
    ],
    settle: 'run-ended',
  },
];

/** One post; the provider takes longer than the queue gives a run. */
const verySlowProvider: NonEmpty<Stage> = [
  {
    requests: [
      { ...post('first'), faults: { provider: { ...noFaults, commitAfterMs: 35_000 } }, mayFail: true },
    ],
    settle: 'run-ended',
  },
];

/** A queue that takes a worker for dead after a second, and gives its run out once more. */
const hasty: QueueTerms = { expiresAfterSeconds: 1, redeliveries: 1 };

const forced: readonly Arm[] = [
  ...under('client leaves while others wait', leftWhileOthersWait, [
    plainArm,
    guarded('lock-wait', 'the lock is given back when the rows are stored'),
    guarded('early-unlock', 'mutant: the lock is given back when the handler is done'),
  ]),
  ...under('saver with two connections', twoOnOneWorker, [
    { ...plainArm, smallSaverPool: true },
    {
      ...guarded('lock-wait-briefly', 'the lock has a pool of its own'),
      name: 'lock-wait',
      smallSaverPool: true,
    },
    {
      ...guarded('saver-pool-lock', "mutant: the lock takes connections from the saver's pool"),
      smallSaverPool: true,
    },
  ]),
  ...under('server ends idle transactions', null, [
    plainArm,
    { ...guarded('lock-wait-idle-server', "the lock's transactions are exempt"), name: 'lock-wait' },
    guarded('lock-idle-timeout', 'mutant: the server ends the transaction that holds the lock'),
  ]),
  ...under('two first posts and a slow provider', twoFirstPosts, [
    charging('no-key', 'the charge is a call to a provider, without a key', 'none'),
    charging('idempotency-key', 'the same, with an idempotency key from the request', 'request'),
    charging('minted-key', 'mutant: the key is made inside the node', 'minted'),
    charging('read-then-write', 'mutant: the charge is looked up first', 'look-up'),
  ]),
  ...under('owner stands still past its lease', ownerStandsStill, [
    { ...plainArm, isExclusive: true },
    { ...guarded('lease', 'rows with an older fencing token are refused'), isExclusive: true },
    { ...guarded('lease-unfenced', 'mutant: nobody looks at the fencing token'), isExclusive: true },
  ]),
  ...under('two on one worker then one', twoThenOne, [
    plainArm,
    guarded('lock-reject', 'the lock lives as long as a transaction on one connection'),
    guarded('session-lock-leak', 'mutant: locked and unlocked by queries on any connection of a pool'),
  ]),
  ...under('two threads whose ids share 32 bits of hash', twoThreads, [
    plainArm,
    guarded('lock-reject', 'the key of the lock has 64 bits of hash'),
    guarded('lock-hash32', 'mutant: the key of the lock has 32 bits of hash, as hashtext gives'),
  ]),
  ...under('a reaper comes while the provider is slow', reaperDuringCharge, [
    charging('none', 'whoever goes on with a thread is let in', 'none'),
    {
      ...charging('lease', 'a live worker keeps its lease by a heartbeat', 'none'),
      guard: 'lease',
    },
    {
      ...charging(
        'naive-reaper',
        'mutant: a worker counts as dead when its newest checkpoint is old',
        'none',
      ),
      guard: 'naive-reaper',
    },
  ]),
  ...under('a run takes longer than its queue gives it', verySlowProvider, [
    charging('none', 'no queue: the handler runs the graph', 'none'),
    queued('patient-queue', 'a queue whose jobs expire after any run is over', {}),
    queued('lease', 'the second delivery finds the lease of the first, which lives', {
      guard: 'lease',
      queue: hasty,
    }),
    queued('lock-reject', 'the second delivery finds the lock of the first, which lives', {
      ...{ guard: 'lock-reject', queue: hasty },
    }),
    queued('idempotency-key', 'both deliveries charge with one key', {
      ...{ queue: hasty, charging: { key: 'request', obeysSignal: false } },
    }),
    queued('redelivery', 'mutant: the queue gives the run out again while the first worker lives', {
      queue: hasty,
    }),
  ]),
];

/** All of them. */
export const doublePostArms: NonEmpty<Arm> = [...natural, ...forced];

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
