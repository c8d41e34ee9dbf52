/**
 * Does it matter how a dump lays its rows out? It must not: pg_dump writes rows as they lie on disk, which an UPDATE
 * or a VACUUM changes. Real dumps are torn apart here (order of rows, threads interleaved, order of tables, chunks)
 * and every thread's report must stay what it was.
 */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { ThreadReport } from '#analysis/model/report.ts';
import { prepareAnalysis } from '#analysis/prepare.ts';
import { readDump } from './read-dump.ts';
import { chunked, fixtureBytes } from './testing/read-all.ts';

const analyse = await prepareAnalysis({ rules: [] });

/** Reports by thread, analysed from rows in the order in which the reader hands them over. */
async function reports(text: string, sizes: readonly number[]): Promise<ReadonlyMap<string, ThreadReport>> {
  const told = new Map<string, ThreadReport>();
  for await (const rows of readDump(chunked(text, sizes))) {
    told.set(rows.thread, await analyse({ rows, log: null, runs: null }));
  }
  return told;
}

interface Section {
  /** The COPY statement's line. */
  readonly copy: string;
  readonly rows: readonly string[];
}

/** The COPY sections of a plain dump; the statements between them say nothing about rows. */
function sections(sql: string): Section[] {
  return [...sql.matchAll(/^(COPY .* FROM stdin;)\n((?:(?!\\\.$).*\n)*)\\\.$/gm)].map(
    ([, copy = '', rows = '']) => ({ copy, rows: rows.split('\n').slice(0, -1) }),
  );
}

function dumpOf(parts: readonly Section[]): string {
  return `${parts.map(({ copy, rows }) => `${[copy, ...rows].join('\n')}\n\\.\n`).join('\n')}\n`;
}

describe.each(['race-js', 'race-py', 'zoo-py', 'old-0.2.74-js'])('the rows of %s', (set) => {
  const sql = fixtureBytes(`${set}.sql.gz`).toString('utf8');
  const parts = sections(sql);

  test('in any order, threads interleaved, tables exchanged and in any chunks give the same reports', async () => {
    const expected = await reports(sql, [65_536]);
    expect(parts.length).toBeGreaterThanOrEqual(3);
    expect(expected.size).toBeGreaterThan(1);
    const random = fc.infiniteStream(fc.nat());
    const chunks = fc.array(fc.integer({ min: 1, max: 5_000 }), { minLength: 1, maxLength: 20 });
    await fc.assert(
      fc.asyncProperty(random, chunks, async (numbers, sizes) => {
        const shuffled = <Item>(items: readonly Item[]): Item[] =>
          items
            .map((item) => [numbers.next().value, item] as const)
            .sort(([one], [other]) => one - other)
            .map(([, item]) => item);
        const torn = shuffled(parts.map(({ copy, rows }) => ({ copy, rows: shuffled(rows) })));
        expect(await reports(dumpOf(torn), [...sizes, 8_192])).toEqual(expected);
      }),
      { numRuns: 8 },
    );
  });
});
