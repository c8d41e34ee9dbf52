import fc from 'fast-check';
import { expect, test } from 'vitest';
import { nearestNames } from './nearest-names.ts';

test('a name with one wrong character is the nearest', () => {
  expect(nearestNames('double-post-12', ['serial-1', 'double-post-2', 'double-post-112', 'x'], 2)).toEqual([
    'double-post-112',
    'double-post-2',
  ]);
});

test('a part of a name finds the names that contain it', () => {
  expect(nearestNames('05b6', ['05c7', 'user-1:05b6-6a00', '05b', 'a'], 1)).toEqual(['user-1:05b6-6a00']);
});

test('the nearest are as many as asked for, and do not depend on the order of names', () => {
  fc.assert(
    fc.property(
      fc.string(),
      fc.uniqueArray(fc.string(), { maxLength: 20 }),
      fc.nat(6),
      (text, names, most) => {
        const nearest = nearestNames(text, names, most);
        expect(nearest).toHaveLength(Math.min(most, names.length));
        expect(nearestNames(text, names.toReversed(), most)).toEqual(nearest);
      },
    ),
  );
});

test('a name that is there is nearest to itself, unless others contain it', () => {
  fc.assert(
    fc.property(fc.uniqueArray(fc.string({ minLength: 1 }), { minLength: 1, maxLength: 20 }), (names) => {
      const [name = ''] = names;
      expect(nearestNames(name, names, 1)[0]?.includes(name)).toBe(true);
    }),
  );
});
