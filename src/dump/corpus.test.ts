import { gunzipSync } from 'node:zlib';
import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { decodeStored, type DecodedValue } from '#analysis/serialization/decode-stored.ts';
import { expectedRows, recordedSets } from './testing/expected.ts';
import { chunked, fixture, fixtureBytes, readAll } from './testing/read-all.ts';

describe('real dumps', () => {
  test.each(recordedSets)(
    '%s holds the rows that SQL counted in its database, thread by thread',
    async (set) => {
      const { totals, namespaces } = expectedRows(set);
      const threads = await readAll({ kind: 'file', path: fixture(`${set}.sql.gz`) });
      const sum = (count: (rows: (typeof threads)[number]) => number): number =>
        threads.reduce((total, rows) => total + count(rows), 0);
      expect({
        threads: threads.length,
        checkpoints: sum((rows) => rows.checkpoints.length),
        blobs: sum((rows) => rows.blobs?.length ?? Number.NaN),
        writes: sum((rows) => rows.writes?.length ?? Number.NaN),
      }).toEqual(totals);
      const counted = new Map<string, Record<string, number>>();
      for (const { thread, checkpoints } of threads) {
        for (const { namespace } of checkpoints) {
          const counts = counted.get(thread) ?? {};
          counts[namespace] = (counts[namespace] ?? 0) + 1;
          counted.set(thread, counts);
        }
      }
      expect(counted).toEqual(new Map(Object.entries(namespaces)));
      expect(threads.every((rows) => rows.shallow === (set === 'shallow-py' ? true : undefined))).toBe(true);
    },
  );

  test.each(recordedSets)('%s holds no value that is corrupt or of an unknown type', async (set) => {
    const reasons = new Map<string, number>();
    for (const rows of await readAll({ kind: 'file', path: fixture(`${set}.sql.gz`) })) {
      for (const { value } of [...(rows.blobs ?? []), ...(rows.writes ?? [])]) {
        const outcome = outcomeOf(decodeStored(value));
        reasons.set(outcome, (reasons.get(outcome) ?? 0) + 1);
      }
    }
    // One thread of zoo-py is encrypted, one holds a pickle.
    const unreadable = set === 'zoo-py' ? { encrypted: 15, pickle: 2 } : {};
    expect(reasons.get('value')).toBeGreaterThan(0);
    reasons.delete('value');
    reasons.delete('empty');
    expect(Object.fromEntries(reasons)).toEqual(unreadable);
  });
});

function outcomeOf(decoded: DecodedValue): string {
  return decoded.kind === 'unreadable' ? decoded.reason : decoded.kind;
}

describe('formats', () => {
  test.each(['race-js', 'race-py'])(
    '%s as INSERTs, with and without column names, gives the same rows',
    async (set) => {
      const copied = await readAll({ kind: 'file', path: fixture(`${set}.sql.gz`) });
      for (const format of ['inserts', 'column-inserts']) {
        const inserted = await readAll({ kind: 'file', path: fixture(`${set}.${format}.sql.gz`) });
        expect(inserted).toEqual(copied);
      }
    },
  );

  test('a data-only dump of bare INSERTs is read by LangGraph’s own column order', async () => {
    const text = fixtureBytes('race-py.inserts.sql.gz').toString();
    const dataOnly = text.replace(/^CREATE TABLE [\s\S]*?;$/gm, '');
    expect(dataOnly).not.toContain('CREATE TABLE');
    expect(await readAll(chunked(dataOnly))).toEqual(await readAll(chunked(text)));
  });

  test('unpacked, piped in packed and named as a packed file are the same dump', async () => {
    const packed = readFileSync(fixture('race-js.sql.gz'));
    const plain = await readAll(chunked(gunzipSync(packed)));
    expect(await readAll(chunked(packed))).toEqual(plain);
    expect(await readAll({ kind: 'file', path: fixture('race-js.sql.gz') })).toEqual(plain);
  });

  test('any chunks of a real dump give the same rows', async () => {
    const bytes = fixtureBytes('race-js.sql.gz');
    const whole = await readAll(chunked(bytes, [bytes.length]));
    const sizes = fc.array(fc.integer({ min: 1, max: 20_000 }), { minLength: 1, maxLength: 40 });
    await fc.assert(
      fc.asyncProperty(sizes, async (chunkSizes) => {
        expect(await readAll(chunked(bytes, [...chunkSizes, 4_096]))).toEqual(whole);
      }),
      { numRuns: 15 },
    );
  });
});
