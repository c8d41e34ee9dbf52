/**
 * A client leaves in mid-run and its run is stored; then two requests resume the thread at once. Nothing new is asked
 * for, so whatever runs twice is done twice for one booking.
 */
import { booking } from '../graphs/registry.ts';
import { plainArm, type Scenario } from '../scenario.ts';
import { postAndLeave, resume } from './requests.ts';

/** See the file's head. The control resumes once. */
export const resumeRace: Scenario = {
  name: 'resume-race',
  summary: 'one client leaves after chunk 2; when its run has ended, two requests resume it at once',
  claim: 'two concurrent resumes run the rest of the graph twice and fork the thread',
  graph: booking,
  stages: [
    { requests: [postAndLeave('first', 2)], settle: 'run-ended' },
    { requests: [resume('resume-a'), resume('resume-b')], settle: 'run-ended' },
  ],
  arms: [
    { ...plainArm, name: 'two', summary: 'two resumes at once' },
    {
      ...plainArm,
      name: 'one',
      summary: 'control: one resume',
      stages: [
        { requests: [postAndLeave('first', 2)], settle: 'run-ended' },
        { requests: [resume('resume-a')], settle: 'run-ended' },
      ],
    },
  ],
  defaultArms: 'all',
  racing: ['resume-a', 'resume-b'],
  businessKey: { nodes: ['plan', 'charge', 'notify', 'finish'], per: 'trial' },
  counted: ['plan', 'charge', 'notify', 'finish'],
};
