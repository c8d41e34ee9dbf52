/**
 * A run stops at an interrupt before the charge; then two requests answer it at once, with different answers. Easy to
 * get wrong: an answer that names the checkpoint is no time travel as long as that is the head.
 */
import { bookingWithApproval } from '../graphs/registry.ts';
import { plainArm, type NonEmpty, type RequestPlan, type Scenario, type Stage } from '../scenario.ts';
import { answer, at, post } from './requests.ts';

const answerA = answer('answer-a', 'approved by a');
const answerB = answer('answer-b', 'approved by b');

/** See the file's head. The control answers once. */
export const doubleResume: Scenario = {
  name: 'double-resume',
  summary: 'a run waits at an interrupt; two requests answer it at once',
  claim: 'two concurrent answers to one interrupt both run what the approval was for',
  graph: bookingWithApproval,
  stages: thenAnswered(answerA, answerB),
  arms: [
    { ...plainArm, name: 'two', summary: 'two answers at once' },
    {
      ...plainArm,
      name: 'two-pinned',
      summary: 'two answers at once, both naming the checkpoint of the interrupt',
      stages: thenAnswered(at({ at: 'head' }, answerA), at({ at: 'head' }, answerB)),
    },
    { ...plainArm, name: 'one', summary: 'control: one answer', stages: thenAnswered(answerA) },
  ],
  defaultArms: 'all',
  racing: ['answer-a', 'answer-b'],
  businessKey: { nodes: ['charge'], per: 'trial' },
  counted: ['plan', 'approve', 'charge', 'finish'],
};

function thenAnswered(...answers: NonEmpty<RequestPlan>): NonEmpty<Stage> {
  return [
    { requests: [post('first')], settle: 'run-ended' },
    { requests: answers, settle: 'run-ended' },
  ];
}
