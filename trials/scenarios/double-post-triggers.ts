/**
 * What is done to show the defects of mitigations: each trigger's requests and faults. What comes of it is forced and says
 * nothing about how often it happens by itself.
 */
import { noFaults } from '../provider.ts';
import type { NonEmpty, ServiceFaults, Stage } from '../scenario.ts';
import { post, postAndLeave, resume } from './requests.ts';

/** Both retries wait, or are turned away, before the first client leaves. */
export const leftWhileOthersWait: NonEmpty<Stage> = [
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
export const twoOnOneWorker: NonEmpty<Stage> = [
  { requests: [post('retry-a'), post('retry-b')], settle: 'run-ended', isOnOneWorker: true },
];

/** Two posts on one worker; when both are over, a third, which nobody is there to turn away. */
export const twoThenOne: NonEmpty<Stage> = [
  { requests: [post('retry-a'), post('retry-b')], settle: 'run-ended', isOnOneWorker: true },
  { requests: [post('late')], settle: 'run-ended' },
];

/** The first worker stands still from chunk 1 on until a retry, which finds the lease (5 s) expired, is over. */
export const ownerStandsStill: NonEmpty<Stage> = [
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
export const twoFirstPosts: NonEmpty<Stage> = [
  {
    requests: [
      { ...post('retry-a'), faults: slowProvider },
      { ...post('retry-b'), faults: slowProvider },
    ],
    settle: 'run-ended',
  },
];

/** Two posts at once to two threads that have nothing in common but 32 bits of hash. */
export const twoThreads: NonEmpty<Stage> = [
  { requests: [post('retry-a'), { ...post('stranger'), isOnNeighbour: true }], settle: 'run-ended' },
];

/** A run waits for the provider, in a superstep that began long ago, when a reaper goes on with its thread. */
export const reaperDuringCharge: NonEmpty<Stage> = [
  {
    requests: [
      { ...post('first'), faults: { provider: { ...noFaults, commitAfterMs: 4000 } } },
      { ...resume('reaper'), offsetMs: 2500 },
    ],
    settle: 'run-ended',
  },
];

/** One post; the provider takes longer than the queue gives a run. */
export const verySlowProvider: NonEmpty<Stage> = [
  {
    requests: [
      { ...post('first'), faults: { provider: { ...noFaults, commitAfterMs: 35_000 } }, mayFail: true },
    ],
    settle: 'run-ended',
  },
];
