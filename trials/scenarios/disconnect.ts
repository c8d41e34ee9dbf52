/**
 * One client posts and leaves after chunk 2, in every shape in which Node services write such a handler, under every
 * durability. Easy to get wrong: what is left depends on both, and a shape that stops at once may still have done one
 * thing that no row shows.
 */
import { booking } from '../graphs/registry.ts';
import { durabilities, plainArm, type Arm, type NonEmpty, type Scenario, type Stage } from '../scenario.ts';
import { post, postAndLeave } from './requests.ts';

interface Shape {
  readonly name: string;
  readonly summary: string;
  readonly handler: string;
  readonly nodesObeySignal?: true;
  readonly services?: readonly string[];
  readonly stages?: NonEmpty<Stage>;
}

/** A client without chunks to count leaves by its own timeout, in mid-notify (which runs from 600 to 2100 ms). */
const timeoutMs = 1300;

const shapes: NonEmpty<Shape> = [
  { name: 'for-await', summary: 'for-await, close not handled', handler: 'for-await' },
  { name: 'break-on-close', summary: 'break when the connection was closed', handler: 'break-on-close' },
  { name: 'pipeline', summary: 'stream.pipeline into the response', handler: 'pipeline' },
  {
    name: 'web-stream',
    summary: 'web ReadableStream whose cancel returns the generator',
    handler: 'web-stream',
  },
  { name: 'abort-signal', summary: 'AbortSignal on close', handler: 'abort-signal' },
  {
    name: 'abort-obeyed',
    summary: 'AbortSignal on close, and nodes that honour it',
    handler: 'abort-signal',
    nodesObeySignal: true,
  },
  { name: 'reader-cancel', summary: "reader.cancel() on the graph's own stream", handler: 'reader-cancel' },
  { name: 'policy-abandon', summary: 'a policy says abandon', handler: 'policy-abandon' },
  { name: 'policy-complete', summary: 'a policy says complete', handler: 'policy-complete' },
  {
    name: 'detached',
    summary: 'a background promise, and a bounded queue to the client',
    handler: 'detached',
  },
  {
    name: 'out-of-process',
    summary: "a durable queue, whose worker's process runs the graph; the handler only follows",
    handler: 'out-of-process',
    services: ['queue'],
  },
  {
    name: 'invoke',
    summary: 'no stream; the client times out in mid-notify',
    handler: 'invoke',
    stages: [{ requests: [{ ...post('first'), timeoutMs }], settle: 'client-done' }],
  },
];

const [firstShape, ...otherShapes] = shapes;

/** See the file's head. */
export const disconnect: Scenario = {
  name: 'disconnect',
  summary: 'one client leaves after chunk 2: handler shape by durability, what is stored, what goes on',
  claim:
    'what is left of a run whose client leaves is decided by the shape of its handler and by the durability',
  graph: booking,
  stages: [{ requests: [postAndLeave('first', 2)], settle: 'client-done' }],
  arms: [...armsOf(firstShape), ...otherShapes.flatMap((shape) => armsOf(shape))],
  defaultArms: 'all',
  racing: [],
  businessKey: { nodes: ['charge'], per: 'trial' },
  counted: ['plan', 'charge', 'notify', 'finish'],
  sampledAfterMs: 300,
  grid: { rows: 'handler shape', outcome: 'after' },
};

function armsOf({ name, summary, handler, nodesObeySignal, services, stages }: Shape): NonEmpty<Arm> {
  const [first, ...others] = durabilities.map((durability) => ({
    ...plainArm,
    name: `${name}-${durability}`,
    summary,
    handler,
    durability,
    stages: stages ?? null,
    services: services ?? [],
    cell: { row: name, column: durability },
    ...(nodesObeySignal === undefined ? {} : { nodesObeySignal }),
  }));
  return [first as Arm, ...others];
}
