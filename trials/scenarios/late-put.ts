/** As double-post, but nobody waits for the cancelled run: its last row may land after the racers have read. */
import { plainArm, type Scenario } from '../scenario.ts';
import { doublePost } from './double-post.ts';
import { post, postAndLeave } from './requests.ts';

/** The settle phase ends with the client, not with its run. */
export const latePut: Scenario = {
  ...doublePost,
  name: 'late-put',
  arms: [plainArm],
  summary: 'one client leaves after chunk 2; two posts at once without waiting for its run',
  claim: 'a retry that does not wait for the cancelled run may read the thread before its last row',
  stages: [
    { requests: [postAndLeave('first', 2)], settle: 'client-done' },
    { requests: [post('retry-a'), post('retry-b')], settle: 'run-ended' },
  ],
};
