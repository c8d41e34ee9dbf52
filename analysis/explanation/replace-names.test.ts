import fc from 'fast-check';
import { expect, test } from 'vitest';
import { nameReplacer } from './replace-names.ts';

const replace = nameReplacer(
  new Map([
    ['plan', 'node1'],
    ['plan b', 'node2'],
    ['a', 'node3'],
    ['node1', 'node4'],
    ['__proto__', 'node5'],
    ['$&', 'node6'],
  ]),
);

test('names are replaced where they stand as words of their own', () => {
  expect(replace('plan ran before a, plans and airplane did not')).toBe(
    'node1 ran before node3, plans and airplane did not',
  );
});

test('of two names that begin at one place the longer is meant', () => {
  expect(replace('plan b:1')).toBe('node2:1');
});

test('what was put in is not replaced again', () => {
  expect(replace('plan node1')).toBe('node1 node4');
});

test('names that other languages take for special are only names', () => {
  expect(replace('__proto__ and $&')).toBe('node5 and node6');
});

test('a text keeps what is no name', () => {
  fc.assert(
    fc.property(fc.string(), (text) => {
      expect(nameReplacer(new Map())(text)).toBe(text);
    }),
  );
});

test('no name is left where all its occurrences are words', () => {
  const words = fc.array(fc.constantFrom('alpha', 'beta', 'gamma', '1f1ed063-05b6'), { maxLength: 30 });
  const names = new Map([
    ['alpha', 'x1'],
    ['1f1ed063-05b6', 'x2'],
  ]);
  fc.assert(
    fc.property(words, (list) => {
      const expected = list.map((word) => names.get(word) ?? word).join(' ');
      expect(nameReplacer(names)(list.join(' '))).toBe(expected);
    }),
  );
});
