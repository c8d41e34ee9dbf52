import { encode, ExtData } from '@msgpack/msgpack';
import { expect, test } from 'vitest';
import { decodeStored } from './decode-stored.ts';
import { sendList, sendNode, type SendList } from './send-list.ts';

const send = (node: string, arg: unknown = null): ExtData =>
  new ExtData(1, encode(['langgraph.types', 'Send', [node, arg]]));

function ofJson(text: string): SendList {
  return sendList(decodeStored({ type: 'json', bytes: new TextEncoder().encode(text) }));
}

function ofMsgpack(value: unknown): SendList {
  return sendList(decodeStored({ type: 'msgpack', bytes: encode(value) }));
}

test.each([
  [
    'the flat list of JS 1.4.9 and later',
    ofJson('[{"node":"b","args":1},{"node":"a","args":{}}]'),
    ['b', 'a'],
  ],
  ['repeated nodes, in order', ofJson('[{"node":"a"},{"node":"b"},{"node":"a"}]'), ['a', 'b', 'a']],
  ['two Sends, which are no pair of lists', ofJson('[{"node":"a"},{"node":"b"}]'), ['a', 'b']],
  ['an emptied flat list', ofJson('[]'), []],
  ['the pair of JS 0.4.0 to 1.4.8', ofJson('[[],[{"node":"a","args":1},{"node":"a","args":2}]]'), ['a', 'a']],
  ['that pair emptied: two elements and no Send', ofJson('[[],[]]'), []],
  ['that pair with seen values', ofJson('[["x"],[{"node":"a"}]]'), ['a']],
  ['a node named __proto__', ofJson('[{"node":"__proto__","args":1}]'), ['__proto__']],
  ['a Send with a timeout', ofJson('[{"node":"a","args":1,"timeout":5}]'), ['a']],
  [
    'a list of Python, which hides each Send behind extension 1',
    ofMsgpack([send('a'), send('b', { n: 1 })]),
    ['a', 'b'],
  ],
  [
    'an older list of Python with a set of seen values',
    ofMsgpack([new ExtData(0, encode(['builtins', 'set', []])), [send('a')]]),
    ['a'],
  ],
  [
    'a list of Python before msgpack',
    ofJson(
      '[{"lc":2,"type":"constructor","id":["langgraph","constants","Send"],"kwargs":{"node":"a","arg":1}}]',
    ),
    ['a'],
  ],
  ['no value', sendList({ kind: 'empty' }), []],
])('Sends are read in order from %s', (_, list, nodes) => {
  expect(list).toEqual({ kind: 'sends', nodes });
});

test.each([
  [
    'an encrypted list',
    sendList(decodeStored({ type: 'msgpack+aes', bytes: new Uint8Array(40) })),
    'encrypted',
  ],
  [
    'a list whose bytes were not read',
    sendList(decodeStored({ type: 'json', bytes: null, omitted: true })),
    'not read',
  ],
  ['a value that is no list', ofJson('{"node":"a"}'), 'no list of Sends'],
  ['a list with something else in it', ofJson('[{"node":"a"},7]'), 'element 1 is no Send'],
])('%s is unreadable, not empty', (_, list, because) => {
  expect(list).toMatchObject({ kind: 'unreadable' });
  expect(list.kind === 'unreadable' && list.because).toContain(because);
});

test('a single Send, as write rows hold it, names its node; other objects name none', () => {
  expect(sendNode(new Map([['node', 'a']]))).toBe('a');
  expect(sendNode({ module: 'langgraph.constants', name: 'Send', payload: ['a', 1] })).toBe('a');
  expect(sendNode({ module: 'app', name: 'Other', payload: ['a', 1] })).toBeNull();
  expect(sendNode(['a'])).toBeNull();
});
