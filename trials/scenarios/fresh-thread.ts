/** Two first inputs at once on a thread that has no rows: the fork has no common parent, it shows as two roots. */
import { plainArm, type Scenario } from '../scenario.ts';
import { doublePost } from './double-post.ts';
import { post } from './requests.ts';

/** Two first posts race. */
export const freshThread: Scenario = {
  ...doublePost,
  arms: [plainArm],
  name: 'fresh-thread',
  summary: 'two first posts at once on a new thread',
  claim: 'two concurrent first posts leave a thread with two roots',
  stages: [{ requests: [post('first-a'), post('first-b')], settle: 'run-ended' }],
  racing: ['first-a', 'first-b'],
};
