/**
 * The charge is a call to a payment provider, and something cuts between the service and what it asked for: the client
 * leaves, the answer is lost, the provider fails. Then the client comes back and resumes the thread. Whether it pays
 * twice is decided by where the idempotency key comes from. Easy to get wrong: the arms say where the client means to
 * leave; where the abort fell is measured in every trial (`abort.first`), and only that is a result. A provider that is
 * slow is one that waits for the retry, so these arms are a forced schedule: their shares are no natural frequencies.
 */
import { booking } from '../graphs/registry.ts';
import { keySources, noFaults, type KeySource, type ProviderFaults } from '../provider.ts';
import {
  plainArm,
  type Arm,
  type NonEmpty,
  type RequestPlan,
  type Scenario,
  type Stage,
} from '../scenario.ts';
import { post, postAndLeave, resume } from './requests.ts';

/** What happens to the first request's charge. */
interface Cut {
  readonly name: string;
  readonly summary: string;
  readonly first: RequestPlan;
  /** Whether an abort is part of it, so that it matters whether nodes obey the signal. */
  readonly isAborted: boolean;
}

const cuts: NonEmpty<Cut> = [
  { name: 'answered', summary: 'control: nothing goes wrong', first: post('first'), isAborted: false },
  failing('lost', 'the charge is made, its answer is lost', { answer: 'lost' }),
  failing('error-before', 'the provider fails before it charges', { answer: 'error-before' }),
  failing('error-after', 'the provider fails after it has charged', { answer: 'error-after' }),
  leaving('left-unsent', 'the client leaves before the charge is sent', postAndLeave('first', 1)),
  leaving('left-received', 'the client leaves when the provider has the request', {
    ...post('first'),
    leavesAt: { service: 'provider', moment: 'received' },
    faults: { provider: { ...noFaults, holds: 'charge' } },
  }),
  leaving('left-committed', 'the client leaves when the provider has charged', {
    ...post('first'),
    leavesAt: { service: 'provider', moment: 'committed' },
    faults: { provider: { ...noFaults, holds: 'answer' } },
  }),
  leaving('left-answered', 'the client leaves when the provider answers', {
    ...post('first'),
    leavesAt: { service: 'provider', moment: 'answered' },
  }),
];

const keyTexts: Readonly<Record<KeySource, string>> = {
  none: 'no key',
  request: 'key from the request',
  minted: 'key minted in the node',
  'look-up': 'no key, looks the charge up first',
};

const [baseline, ...others] = cuts.flatMap((cut) =>
  (cut.isAborted ? [false, true] : [false]).flatMap((obeys) =>
    keySources.map((key) => armOf(cut, obeys, key)),
  ),
);
if (baseline === undefined) throw new Error('there is at least one cut and one source of keys');

/** See the file's head. */
export const unknownEffect: Scenario = {
  name: 'unknown-effect',
  summary: 'a charge is cut off between service and provider, then the thread is resumed',
  claim:
    'after a cut the service cannot know whether it has charged, and a retry may charge twice unless its key comes from the request',
  graph: booking,
  stages: thenResumed(cuts[0].first),
  arms: [baseline, ...others],
  defaultArms: 'all',
  racing: [],
  businessKey: { nodes: ['charge'], per: 'trial' },
  counted: ['plan', 'charge', 'notify', 'finish'],
  grid: { rows: 'what cuts in', outcome: 'account' },
};

function armOf({ name, summary, first }: Cut, obeysSignal: boolean, key: KeySource): Arm {
  const row = `${name}${obeysSignal ? '+signal' : ''}`;
  return {
    ...plainArm,
    name: `${row}/${key}`,
    cell: { row, column: keyTexts[key] },
    summary: `${summary}${obeysSignal ? ', nodes obey the signal' : ''}; ${keyTexts[key]}`,
    stages: thenResumed(first),
    services: ['provider'],
    charging: { key, obeysSignal },
  };
}

/** A key that holds an error repeats it, so the retry may fail as well. */
function thenResumed(first: RequestPlan): NonEmpty<Stage> {
  return [
    { requests: [first], settle: 'run-ended' },
    { requests: [{ ...resume('retry'), mayFail: true }], settle: 'run-ended' },
  ];
}

function failing(name: string, summary: string, faults: Partial<ProviderFaults>): Cut {
  const first: RequestPlan = {
    ...post('first'),
    faults: { provider: { ...noFaults, ...faults } },
    mayFail: true,
  };
  return { name, summary, first, isAborted: false };
}

function leaving(name: string, summary: string, first: RequestPlan): Cut {
  return { name, summary, first, isAborted: true };
}
