/** A node returns a key that the state's schema lacks. No race: one request, and nothing but the effect log knows. */
import { bookingWithReference } from '../graphs/registry.ts';
import { plainArm, type NonEmpty, type Scenario, type Stage } from '../scenario.ts';
import { post } from './requests.ts';

/** See the file's head. The control returns a key that the schema has. */
export const undeclaredKey: Scenario = {
  name: 'undeclared-key',
  summary: 'a node returns a key that the schema lacks',
  claim: 'a key that the schema lacks is gone without an error: no row, no state and no stream has it',
  graph: bookingWithReference,
  stages: chargedUnder('paymentReference'),
  arms: [
    { ...plainArm, name: 'undeclared', summary: 'charge returns a key that the schema lacks' },
    {
      ...plainArm,
      name: 'declared',
      summary: 'control: charge returns the key that the schema has',
      stages: chargedUnder('reference'),
    },
  ],
  defaultArms: 'all',
  racing: [],
  businessKey: { nodes: ['charge'], per: 'trial' },
  counted: ['charge', 'notify'],
};

function chargedUnder(referenceKey: string): NonEmpty<Stage> {
  return [{ requests: [{ ...post('first'), input: { referenceKey } }], settle: 'run-ended' }];
}
