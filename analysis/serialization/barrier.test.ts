import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { ChannelName, NodeName } from '../model/identifiers.ts';
import { barrierFires, barrierName, barrierOf } from './barrier.ts';
import type { Decoded } from './decoded.ts';

const names = (...nodes: string[]): ReadonlySet<NodeName> => new Set(nodes as NodeName[]);

test.each<[string, Decoded, ReturnType<typeof barrierOf>]>([
  ['a list of JS', ['a', 'b'], { arrived: names('a', 'b'), finished: null }],
  ['nobody yet', [], { arrived: names(), finished: null }],
  ['two nodes, which are no pair', ['a', 'b'], { arrived: names('a', 'b'), finished: null }],
  [
    'a set of Python',
    { module: 'builtins', name: 'set', payload: ['a'] },
    { arrived: names('a'), finished: null },
  ],
  ['a deferred one of JS', [['a', 'b'], true], { arrived: names('a', 'b'), finished: true }],
  ['a deferred one of JS, not finished', [['a'], false], { arrived: names('a'), finished: false }],
  [
    'a deferred one of Python',
    [{ module: 'builtins', name: 'set', payload: ['a'] }, true],
    { arrived: names('a'), finished: true },
  ],
])('who arrived is read from %s', (_, value, expected) => {
  expect(barrierOf(value)).toEqual(expected);
});

test.each<[string, Decoded]>([
  ['text', 'a'],
  ['a list of numbers', [1, 2]],
  ['a list and something else', [['a'], 'b']],
  ['another object', { module: 'app', name: 'Order', payload: ['a'] }],
])('%s is no barrier', (_, value) => {
  expect(barrierOf(value)).toBeNull();
});

test('only channels named join:…:… are barriers', () => {
  expect(barrierName('join:a+b:x' as ChannelName)).toEqual({ joined: 'a+b', target: 'x' });
  expect(barrierName('branch:to:x' as ChannelName)).toBeNull();
  expect(barrierName('join:a' as ChannelName)).toBeNull();
});

test('a barrier fires exactly when all have arrived, also for names that contain a plus', () => {
  const nodeName = fc.stringMatching(/^[ab+]{1,3}$/);
  const awaited = fc.uniqueArray(nodeName, { minLength: 1, maxLength: 4 });
  fc.assert(
    fc.property(
      awaited,
      fc.nat({ max: 4 }),
      fc.constantFrom(null, true, false),
      (nodes, arrived, finished) => {
        const name = barrierName(`join:${nodes.join('+')}:x` as ChannelName);
        const barrier = { arrived: names(...nodes.slice(0, arrived)), finished };
        expect(name !== null && barrierFires(name, barrier)).toBe(
          arrived >= nodes.length && finished !== false,
        );
      },
    ),
  );
});
