/** The control: the requests of double-post, one after another. Each is its own booking, so nothing is a duplicate. */
import { plainArm, type Scenario } from '../scenario.ts';
import { doublePost } from './double-post.ts';
import { post, postAndLeave } from './requests.ts';

/** Nothing overlaps, so no trial may show a fork. */
export const serial: Scenario = {
  ...doublePost,
  arms: [plainArm],
  name: 'serial',
  summary: 'control: the requests of double-post, one after another',
  claim: 'requests that never overlap leave no fork',
  stages: [
    { requests: [postAndLeave('first', 2)], settle: 'run-ended' },
    { requests: [post('retry-a')], settle: 'run-ended' },
    { requests: [post('retry-b')], settle: 'run-ended' },
  ],
  racing: [],
  businessKey: { nodes: ['charge'], per: 'request' },
};
