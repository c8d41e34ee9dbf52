import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Decoded, DecodedKey } from './decoded.ts';
import { sameValue } from './same-value.ts';

const { value } = fc.letrec<{ value: Decoded }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    fc.constant(null),
    fc.boolean(),
    fc.double(),
    fc.string(),
    fc.uint8Array({ maxLength: 4 }),
    fc.array(tie('value'), { maxLength: 4 }),
    fc
      .array(fc.tuple(fc.oneof(fc.string(), fc.integer()), tie('value')), { maxLength: 4 })
      .map((entries): ReadonlyMap<DecodedKey, Decoded> => new Map(entries)),
    fc.record({ module: fc.string(), name: fc.string(), payload: tie('value') }),
  ),
}));

test('a value is the same as its copy, whatever the order of mappings', () => {
  fc.assert(
    fc.property(value, (one) => {
      expect(sameValue(one, reversedCopy(one))).toBe(true);
    }),
  );
});

test('two values are the same exactly when their canonical texts are', () => {
  fc.assert(
    fc.property(value, value, (one, other) => {
      expect(sameValue(one, other)).toBe(canonical(one) === canonical(other));
      expect(sameValue([one, other], [one, other])).toBe(true);
    }),
    { numRuns: 500 },
  );
});

test.each<[string, Decoded, Decoded]>([
  ['the number 1 and the text "1"', 1, '1'],
  ['null and an empty list', null, []],
  ['a list and its beginning', [1, 2], [1]],
  ['a list and its reverse', [1, 2], [2, 1]],
  ['mappings of different keys', new Map([['a', 1]]), new Map([['b', 1]])],
  ['a mapping without and one with a key of value null', new Map(), new Map([['a', null]])],
  [
    'objects of different modules',
    { module: 'a', name: 'n', payload: 1 },
    { module: 'b', name: 'n', payload: 1 },
  ],
  ['bytes of different content', Uint8Array.of(1), Uint8Array.of(2)],
  ['bytes and a list of numbers', Uint8Array.of(1), [1]],
  ['undefined and null', { module: '', name: 'undefined', payload: null }, null],
])('%s are not the same', (_, one, other) => {
  expect(sameValue(one, other)).toBe(false);
  expect(sameValue(other, one)).toBe(false);
});

test('lists nested a hundred thousand levels deep are compared without recursion', () => {
  const nest = (core: Decoded): Decoded => {
    let nested = core;
    for (let level = 0; level < 100_000; level += 1) nested = [nested];
    return nested;
  };
  expect(sameValue(nest(1), nest(1))).toBe(true);
  expect(sameValue(nest(1), nest(2))).toBe(false);
});

function reversedCopy(one: Decoded): Decoded {
  if (one === null || typeof one !== 'object') return one;
  if (one instanceof Uint8Array) return one.slice();
  if (Array.isArray(one)) return (one as readonly Decoded[]).map(reversedCopy);
  if (one instanceof Map) {
    return new Map(
      [...(one as ReadonlyMap<DecodedKey, Decoded>)].reverse().map(([k, v]) => [k, reversedCopy(v)]),
    );
  }
  const { module, name, payload } = one as { module: string; name: string; payload: Decoded };
  return { module, name, payload: reversedCopy(payload) };
}

function canonical(one: Decoded): string {
  if (one === null || typeof one === 'boolean') return String(one);
  if (typeof one === 'number') return one === 0 ? 'number 0' : `number ${one}`;
  if (typeof one === 'bigint') return `bigint ${one}`;
  if (typeof one === 'string') return JSON.stringify(one);
  if (one instanceof Uint8Array) return `bytes ${one.join()}`;
  if (Array.isArray(one)) return `[${(one as readonly Decoded[]).map(canonical).join()}]`;
  if (one instanceof Map) {
    const entries = [...(one as ReadonlyMap<DecodedKey, Decoded>)].map(
      ([k, v]) => `${canonical(k)}:${canonical(v)}`,
    );
    return `{${entries.sort().join()}}`;
  }
  const { module, name, payload } = one as { module: string; name: string; payload: Decoded };
  return `object ${JSON.stringify([module, name])} ${canonical(payload)}`;
}
