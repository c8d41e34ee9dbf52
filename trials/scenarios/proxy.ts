/**
 * One client leaves in mid-notify, directly or behind nginx: when does the worker learn? Easy to get wrong: behind a proxy
 * that buffers the client reads nothing until the end, so it cannot leave after a chunk; in every arm it leaves by its own
 * timeout, at the same moment.
 */
import { booking } from '../graphs/registry.ts';
import { plainArm, type Arm, type NonEmpty, type ReverseProxySetting, type Scenario } from '../scenario.ts';
import { post } from './requests.ts';

/** In mid-notify, which runs from 600 to 2100 ms. */
const timeoutMs = 1300;

const direct: Arm = { ...plainArm, name: 'direct', summary: 'the client speaks to the worker' };

const settings: NonEmpty<readonly [ReverseProxySetting, string]> = [
  ['defaults', 'nginx as it comes: proxy_buffering on, HTTP/1.0 to the worker'],
  ['http-1.1', 'proxy_http_version 1.1, proxy_buffering on'],
  ['buffering-off', 'proxy_http_version 1.1, proxy_buffering off'],
  ['ignore-abort', 'the same with proxy_ignore_client_abort on'],
  ['defaults-ignore-abort', 'proxy_ignore_client_abort on, else nginx as it comes'],
];

const behind = settings.map(([through, summary]): Arm => ({
  ...plainArm,
  name: through,
  summary,
  through,
  services: ['nginx'],
}));

/** See the file's head. */
export const proxy: Scenario = {
  name: 'proxy',
  summary: 'one client leaves, directly or behind nginx: when does the worker learn?',
  claim:
    'a proxy between client and worker decides whether and when the worker learns that its client has left',
  graph: booking,
  stages: [{ requests: [{ ...post('first'), timeoutMs }], settle: 'client-done' }],
  arms: [direct, ...behind],
  defaultArms: 'all',
  racing: [],
  businessKey: { nodes: ['charge'], per: 'trial' },
  counted: ['plan', 'charge', 'notify', 'finish'],
  asksWhenLearned: true,
};
