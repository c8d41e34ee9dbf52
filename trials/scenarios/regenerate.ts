/**
 * Time travel on purpose: a run has completed, and its client goes back to the checkpoint before notify, as "try
 * again" in a chat does, or posts another input there, as "edit and resend" does. Easy to get wrong: that leaves a fork
 * as well, and a declared one; only requests that overlap make it a race.
 */
import { booking } from '../graphs/registry.ts';
import { plainArm, type NonEmpty, type RequestPlan, type Scenario, type Stage } from '../scenario.ts';
import { at, post, resume } from './requests.ts';

const before = { at: 'first-before', node: 'notify' } as const;
const againA = at(before, resume('again-a'));
const againB = at(before, resume('again-b'));
const editA = at(before, post('edit-a'));
const editB = at(before, post('edit-b'));

const completed: Stage = { requests: [post('first')], settle: 'run-ended' };

/** See the file's head. */
export const regenerate: Scenario = {
  name: 'regenerate',
  summary: 'control: a completed run, then requests that go back to an older checkpoint on purpose',
  claim: 'going back on purpose leaves a declared fork, and is a race only when two requests do it at once',
  graph: booking,
  stages: thenOneByOne(againA, againB),
  arms: [
    { ...plainArm, name: 'again', summary: 'run again from there, twice, one after the other' },
    {
      ...plainArm,
      name: 'edit',
      summary: 'new input there, twice, one after the other',
      stages: thenOneByOne(editA, editB),
    },
    {
      ...plainArm,
      name: 'again-at-once',
      summary: 'two requests run again from there at once',
      stages: thenAtOnce(againA, againB),
    },
    {
      ...plainArm,
      name: 'edit-at-once',
      summary: 'two requests post new input there at once',
      stages: thenAtOnce(editA, editB),
    },
  ],
  defaultArms: 'all',
  racing: ['again-a', 'again-b', 'edit-a', 'edit-b'],
  businessKey: { nodes: ['charge'], per: 'request' },
  counted: ['plan', 'charge', 'notify', 'finish'],
};

function thenOneByOne(a: RequestPlan, b: RequestPlan): NonEmpty<Stage> {
  return [completed, { requests: [a], settle: 'run-ended' }, { requests: [b], settle: 'run-ended' }];
}

function thenAtOnce(...requests: NonEmpty<RequestPlan>): NonEmpty<Stage> {
  return [completed, { requests, settle: 'run-ended' }];
}
