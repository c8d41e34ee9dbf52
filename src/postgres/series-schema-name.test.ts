import fc from 'fast-check';
import pg from 'pg';
import { expect, test } from 'vitest';
import { seriesSchema, seriesSchemaFor } from './series-schema-name.ts';

test('every series id becomes a name that Postgres keeps whole and that needs no escaping (property)', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', minLength: 1, maxLength: 100 }), (id) => {
      const name = seriesSchemaFor(id);
      expect(Buffer.byteLength(name)).toBeLessThanOrEqual(63);
      expect(pg.escapeIdentifier(name)).toBe(`"${name}"`);
      expect(seriesSchema(name)).toBe(name);
    }),
  );
});

test('a name keeps the end of a long id, where ids differ', () => {
  expect(seriesSchemaFor(`${'x'.repeat(80)}-20261130T225100Z`)).toMatch(/^forkscope_x+_20261130t225100z$/);
});

test.each([
  'public',
  'pg_catalog',
  'forkscope_',
  'forkscope',
  'forkscope_a"; DROP',
  'Forkscope_a',
  'my_forkscope_a',
])('a schema that this program did not name is no series schema: %s', (name) => {
  expect(seriesSchema(name)).toBeNull();
});
