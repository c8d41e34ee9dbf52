import { encode, ExtData } from '@msgpack/msgpack';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { StoredValue } from '../model/checkpoint.ts';
import { deltaSnapshotOf, type Decoded } from './decoded.ts';
import { decodeStored, describeUnreadable, type DecodedValue } from './decode-stored.ts';
import { undefinedValue } from './json-values.ts';

const utf8 = new TextEncoder();

function json(text: string): DecodedValue {
  return decodeStored({ type: 'json', bytes: utf8.encode(text) });
}

function msgpack(bytes: Uint8Array): DecodedValue {
  return decodeStored({ type: 'msgpack', bytes });
}

function valueOf(decoded: DecodedValue): Decoded {
  if (decoded.kind !== 'value') throw new Error(`no value but ${JSON.stringify(decoded)}`);
  return decoded.value;
}

function extension(code: number, payload: unknown): ExtData {
  return new ExtData(code, encode(payload));
}

describe('tags', () => {
  const bytes = Uint8Array.of(1, 2, 3);
  const cases: readonly (readonly [string, StoredValue, DecodedValue])[] = [
    [
      'a NULL tag says nothing about the bytes',
      { type: null, bytes },
      { kind: 'unreadable', reason: 'unknown-type', type: null },
    ],
    ['empty is no value', { type: 'empty', bytes: null }, { kind: 'empty' }],
    ['null is the value null', { type: 'null', bytes: new Uint8Array() }, { kind: 'value', value: null }],
    ['bytes are themselves', { type: 'bytes', bytes }, { kind: 'value', value: bytes }],
    ['a bytearray is its bytes', { type: 'bytearray', bytes }, { kind: 'value', value: bytes }],
    [
      'a pickle is never opened',
      { type: 'pickle', bytes },
      { kind: 'unreadable', reason: 'pickle', type: 'pickle' },
    ],
    [
      'ciphertext names its cipher',
      { type: 'msgpack+aes', bytes },
      { kind: 'unreadable', reason: 'encrypted', type: 'msgpack+aes', cipher: 'aes' },
    ],
    [
      'an encrypted null is as unreadable as the rest',
      { type: 'null+aes', bytes },
      { kind: 'unreadable', reason: 'encrypted', type: 'null+aes', cipher: 'aes' },
    ],
    [
      'an unknown tag is said to be unknown',
      { type: 'cbor', bytes },
      { kind: 'unreadable', reason: 'unknown-type', type: 'cbor' },
    ],
    [
      'a tag named like an object method is unknown too',
      { type: 'constructor', bytes },
      { kind: 'unreadable', reason: 'unknown-type', type: 'constructor' },
    ],
    [
      'bytes that the reader skipped are omitted',
      { type: 'json', bytes: null, omitted: true },
      { kind: 'unreadable', reason: 'omitted', type: 'json' },
    ],
    [
      'a skipped null is known from its tag',
      { type: 'null', bytes: null, omitted: true },
      { kind: 'value', value: null },
    ],
    [
      'NULL bytes under json are corrupt',
      { type: 'json', bytes: null },
      { kind: 'unreadable', reason: 'corrupt', type: 'json', because: 'the bytes are NULL' },
    ],
  ];
  test.each(cases)('%s', (_, stored, expected) => {
    expect(decodeStored(stored)).toEqual(expected);
  });

  test('every reason has a clause, and none repeats the bytes', () => {
    for (const [, stored] of cases) {
      const decoded = decodeStored(stored);
      if (decoded.kind === 'unreadable') expect(describeUnreadable(decoded)).toMatch(/^its? \w/);
    }
    const secret = json('"secret');
    expect(secret.kind === 'unreadable' && describeUnreadable(secret)).toBe(
      'its bytes are no json: the text is no JSON',
    );
  });
});

describe('json', () => {
  test('any JSON value comes back as itself, objects as Maps in the same order', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (original) => {
        const value = valueOf(json(JSON.stringify(original)));
        expect(JSON.stringify(asJson(value))).toBe(JSON.stringify(original));
      }),
    );
  });

  test('a key named __proto__ is data', () => {
    expect(valueOf(json('{"__proto__": {"a": 1}, "constructor": 2}'))).toEqual(
      new Map<string, Decoded>([
        ['__proto__', new Map([['a', 1]])],
        ['constructor', 2],
      ]),
    );
  });

  test.each([
    ['undefined', '{"lc":2,"type":"undefined"}', undefinedValue],
    [
      'a Set',
      '{"lc":2,"type":"constructor","id":["Set"],"method":null,"args":[["a","b"]],"kwargs":{}}',
      { module: '', name: 'Set', payload: ['a', 'b'] },
    ],
    [
      'a RegExp',
      '{"lc":2,"type":"constructor","id":["RegExp"],"method":null,"args":["a+","g"],"kwargs":{}}',
      { module: '', name: 'RegExp', payload: ['a+', 'g'] },
    ],
    [
      'an Error',
      '{"lc":2,"type":"constructor","id":["Error"],"method":null,"args":["no"],"kwargs":{}}',
      { module: '', name: 'Error', payload: 'no' },
    ],
    [
      'a Python object with named arguments',
      '{"lc":2,"type":"constructor","id":["app","Order"],"args":[],"kwargs":{"n":1}}',
      { module: 'app', name: 'Order', payload: new Map([['n', 1]]) },
    ],
    [
      'a Python object with both kinds of arguments',
      '{"lc":2,"type":"constructor","id":["app","Order"],"args":[7],"kwargs":{"n":1}}',
      {
        module: 'app',
        name: 'Order',
        payload: new Map<string, unknown>([
          ['args', [7]],
          ['kwargs', new Map([['n', 1]])],
        ]),
      },
    ],
    [
      'a message',
      '{"lc":1,"type":"constructor","id":["langchain_core","messages","HumanMessage"],"kwargs":{"content":"hi"}}',
      { module: 'langchain_core.messages', name: 'HumanMessage', payload: new Map([['content', 'hi']]) },
    ],
    [
      'a marked object inside a list',
      '[1,{"lc":2,"type":"undefined"}]',
      [1, { module: '', name: 'undefined', payload: null }],
    ],
    [
      'a mark that LangGraph does not know, which stays data',
      '{"lc":3,"type":"x"}',
      new Map<string, unknown>([
        ['lc', 3],
        ['type', 'x'],
      ]),
    ],
  ])('%s is named, not constructed', (_, text, expected) => {
    expect(valueOf(json(text))).toEqual(expected);
  });

  test('a delta snapshot of JS and one of Python are the same value', () => {
    const js = valueOf(json('{"lc":2,"type":"delta_snapshot","value":["a"]}'));
    expect(deltaSnapshotOf(js)).toEqual({ value: ['a'] });
    expect(valueOf(msgpack(encode(extension(7, ['a']))))).toEqual(js);
  });

  test.each([
    ['text cut off', utf8.encode('{"a":'), 'the text is no JSON'],
    ['nothing at all', new Uint8Array(), 'the text is no JSON'],
    ['bytes that are no UTF-8', Uint8Array.of(0x22, 0xff, 0x22), 'the text is not UTF-8'],
    ['a hundred thousand levels', utf8.encode('['.repeat(100_000) + ']'.repeat(100_000)), 'nested deeper'],
  ])('%s is corrupt', (_, bytes, because) => {
    const decoded = decodeStored({ type: 'json', bytes });
    expect(decoded).toMatchObject({ kind: 'unreadable', reason: 'corrupt' });
    expect(decoded.kind === 'unreadable' && decoded.reason === 'corrupt' && decoded.because).toContain(
      because,
    );
  });
});

describe('msgpack', () => {
  test('any value of JSON and bytes survives encoding and decoding', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.uint8Array(), (original, bytes) => {
        const value = valueOf(msgpack(encode([original, bytes])));
        const [first, second] = value as [Decoded, Uint8Array];
        expect(second).toEqual(bytes);
        expect(JSON.stringify(asJson(first))).toBe(JSON.stringify(original));
      }),
    );
  });

  test('keys of any kind are kept apart: the number 1, the text "1", true and null', () => {
    // {1: "a", "1": "b", true: "c", null: "d", "__proto__": "e"}
    const bytes = Uint8Array.of(0x85, 1, 0xa1, 97, 0xa1, 49, 0xa1, 98, 0xc3, 0xa1, 99, 0xc0, 0xa1, 100);
    const proto = Uint8Array.of(0xa9, ...utf8.encode('__proto__'), 0xa1, 101);
    expect(valueOf(msgpack(Uint8Array.of(...bytes, ...proto)))).toEqual(
      new Map<unknown, unknown>([
        [1, 'a'],
        ['1', 'b'],
        [true, 'c'],
        [null, 'd'],
        ['__proto__', 'e'],
      ]),
    );
  });

  test('a dict with a tuple among its keys becomes a list of pairs', () => {
    const bytes = Uint8Array.of(0x82, 0x92, 1, 2, 0xa1, 97, 0xa1, 120, 0xa1, 98);
    expect(valueOf(msgpack(bytes))).toEqual({
      module: 'msgpack',
      name: 'map',
      payload: [
        [[1, 2], 'a'],
        ['x', 'b'],
      ],
    });
  });

  test('integers stay exact: a number up to 2^53, a bigint beyond', () => {
    expect(valueOf(msgpack(encode(2n ** 63n - 1n, { useBigInt64: true })))).toBe(2n ** 63n - 1n);
    expect(valueOf(msgpack(encode(2n ** 40n, { useBigInt64: true })))).toBe(2 ** 40);
  });

  test.each([
    [0, ['uuid', 'UUID', 'ab'], { module: 'uuid', name: 'UUID', payload: 'ab' }],
    [
      1,
      ['langgraph.types', 'Send', ['n', null]],
      { module: 'langgraph.types', name: 'Send', payload: ['n', null] },
    ],
    [2, ['app', 'Order', { n: 1 }], { module: 'app', name: 'Order', payload: new Map([['n', 1]]) }],
    [
      3,
      ['datetime', 'datetime', '2026-01-01', 'fromisoformat'],
      { module: 'datetime', name: 'datetime', payload: '2026-01-01' },
    ],
    [4, ['app', 'Old', { n: 1 }], { module: 'app', name: 'Old', payload: new Map([['n', 1]]) }],
    [
      5,
      ['app', 'New', { n: 1 }, 'model_validate_json'],
      { module: 'app', name: 'New', payload: new Map([['n', 1]]) },
    ],
    [
      6,
      ['<f8', [1], 'C', Uint8Array.of(7)],
      { module: 'numpy', name: 'ndarray', payload: ['<f8', [1], 'C', Uint8Array.of(7)] },
    ],
    [7, 5, { module: 'langgraph', name: 'DeltaSnapshot', payload: 5 }],
  ])('extension %i is named, not constructed', (code, payload, expected) => {
    expect(valueOf(msgpack(encode(extension(code, payload))))).toEqual(expected);
  });

  test('an extension LangGraph does not use keeps its code and its bytes', () => {
    expect(valueOf(msgpack(encode(new ExtData(42, Uint8Array.of(1, 2)))))).toEqual({
      module: 'msgpack',
      name: 'extension 42',
      payload: Uint8Array.of(1, 2),
    });
  });

  test('extensions inside extensions are opened without recursion', () => {
    let nested: unknown = 'core';
    for (let level = 0; level < 2_000; level += 1) nested = extension(7, nested);
    let value = valueOf(msgpack(encode(nested)));
    let depth = 0;
    for (let inner = deltaSnapshotOf(value); inner !== null; inner = deltaSnapshotOf(value)) {
      value = inner.value;
      depth += 1;
    }
    expect([depth, value]).toEqual([2_000, 'core']);
  });
});

function asJson(value: Decoded): unknown {
  return JSON.parse(
    JSON.stringify(value, (_, part: unknown) => (part instanceof Map ? entriesOf(part) : part)),
  ) as unknown;
}

/** Built by defineProperty: an assignment to `__proto__` would be lost. */
function entriesOf(map: Map<unknown, unknown>): object {
  const object = {};
  for (const [key, value] of map) {
    Object.defineProperty(object, String(key), { value, enumerable: true, configurable: true });
  }
  return object;
}
