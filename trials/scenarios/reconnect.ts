/**
 * One client leaves after chunk 2 and comes back. Its run is executed by the worker of a queue, which stores every event
 * before anybody sees it, so that the client can go on behind the last event that it has.
 */
import { booking } from '../graphs/registry.ts';
import { plainArm, type Arm, type Durability, type Scenario } from '../scenario.ts';
import { postAndLeave } from './requests.ts';

const under = (durability: Durability): Arm => ({
  ...plainArm,
  name: durability,
  summary: `durability ${durability}`,
  handler: 'out-of-process',
  services: ['queue'],
  durability,
});

/** See the file's head. */
export const reconnect: Scenario = {
  name: 'reconnect',
  summary: 'one client leaves after chunk 2 and comes back to the stream of its run, at whichever worker',
  claim: 'a client that comes back with the offset it has gets every chunk of its run exactly once',
  graph: booking,
  stages: [
    { requests: [postAndLeave('first', 2)], settle: 'client-done' },
    {
      requests: [{ name: 'back', input: null, rejoins: 'first', disconnectAfterChunk: null, offsetMs: 0 }],
      settle: 'run-ended',
    },
  ],
  arms: [under('async'), under('sync'), under('exit')],
  defaultArms: 'all',
  racing: [],
  businessKey: { nodes: ['charge'], per: 'trial' },
  counted: ['plan', 'charge', 'notify', 'finish'],
};
