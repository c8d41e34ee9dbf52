/** A client leaves in mid-run, its run is cancelled and stored; then two requests with new input start at once. */
import { booking } from '../graphs/registry.ts';
import type { Scenario } from '../scenario.ts';
import { doublePostArms } from './double-post-arms.ts';
import { post, postAndLeave } from './requests.ts';

/** The default scenario. */
export const doublePost: Scenario = {
  name: 'double-post',
  summary: 'one client leaves after chunk 2; when its run has ended, two posts at once',
  claim: 'two concurrent posts to one thread fork it, and both branches run every node',
  graph: booking,
  stages: [
    { requests: [postAndLeave('first', 2)], settle: 'run-ended' },
    { requests: [post('retry-a'), post('retry-b')], settle: 'run-ended' },
  ],
  arms: doublePostArms,
  defaultArms: 'baseline',
  racing: ['retry-a', 'retry-b'],
  anomalies: [
    { name: 'fork', outcomes: ['undeclaredForks'], whenAbsent: 'not-measured' },
    { name: 'hidden charge', outcomes: ['hidden.charge'], whenAbsent: 'zero' },
    { name: 'state overwritten', outcomes: ['misreadLeaves'], whenAbsent: 'not-measured' },
    { name: 'charged again', outcomes: ['repeatedCharges', 'duplicates'], whenAbsent: 'not-measured' },
    { name: 'turned away', outcomes: ['refused'], whenAbsent: 'not-measured' },
    { name: 'false contention', outcomes: ['refusedAlone'], whenAbsent: 'not-measured' },
    { name: 'shut out by nobody', outcomes: ['refused.late'], whenAbsent: 'zero' },
  ],
  businessKey: { nodes: ['charge'], per: 'trial' },
  counted: ['plan', 'charge', 'notify', 'finish'],
};
