import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { findByPrefix, leastPrefix, shortIds } from './short-ids.ts';

/** Few letters make shared prefixes likely; lengths around the least prefix make its edge likely. */
const ids = fc.uniqueArray(
  fc.string({ unit: fc.constantFrom('0', '1', '-', '\u{1f600}'), minLength: 1, maxLength: 14 }),
  { maxLength: 40 },
);

describe('a short id', () => {
  test('is a prefix that names its id and no other', () => {
    fc.assert(
      fc.property(ids, (all) => {
        for (const [id, short] of shortIds(all)) {
          expect(id.startsWith(short)).toBe(true);
          expect(findByPrefix(all, short)).toEqual({ kind: 'one', id });
        }
      }),
    );
  });

  test('has no shorter prefix that would do', () => {
    fc.assert(
      fc.property(ids, (all) => {
        for (const [id, short] of shortIds(all)) {
          const letters = Array.from(short);
          const shorter = letters.slice(0, -1).join('');
          if (shorter.length < leastPrefix) continue;
          const match = findByPrefix(all, shorter);
          expect(match.kind === 'one' ? match.id : match.kind).not.toBe(id);
        }
      }),
    );
  });

  test('is at least eight characters long, or the whole id', () => {
    fc.assert(
      fc.property(ids, (all) => {
        for (const [id, short] of shortIds(all)) {
          expect(short === id || short.length >= leastPrefix).toBe(true);
        }
      }),
    );
  });

  test('does not depend on the order of ids', () => {
    fc.assert(
      fc.property(ids, (all) => {
        expect([...shortIds(all.toReversed())].sort()).toEqual([...shortIds(all)].sort());
      }),
    );
  });

  test('keeps as much of a version-6 UUID as tells two moments apart', () => {
    const short = shortIds([
      '1f1ed063-05b6-6a00-8000-000000000001',
      '1f1ed063-05b6-6a00-8001-000000000001',
      '1f1ed063-1f00-6a00-8000-000000000001',
      '1f1ed0ff-1f00-6a00-8000-000000000001',
    ]);
    expect([...short.values()]).toEqual([
      '1f1ed063-05b6-6a00-8000',
      '1f1ed063-05b6-6a00-8001',
      '1f1ed063-1',
      '1f1ed0ff',
    ]);
  });
});

describe('a prefix', () => {
  test('of several ids names all of them', () => {
    expect(findByPrefix(['b', 'ab', 'aa'], 'a')).toEqual({ kind: 'several', ids: ['aa', 'ab'] });
  });

  test('that is an id names that id, whatever else begins with it', () => {
    expect(findByPrefix(['ab', 'a'], 'a')).toEqual({ kind: 'one', id: 'a' });
  });

  test('of nothing names nothing', () => {
    expect(findByPrefix(['ab'], 'b')).toEqual({ kind: 'none' });
    expect(findByPrefix(['ab'], '')).toEqual({ kind: 'none' });
  });
});
