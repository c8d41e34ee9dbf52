import { describe, expect, test } from 'vitest';
import { catalogue } from '#analysis/anomalies/catalogue.ts';
import { findingKinds } from '#analysis/model/finding.ts';
import { collisionsSql, forksSql } from './by-hand-sql.ts';
import { censusSql } from './census-sql.ts';
import { censusSchemas, whyAllTravel, type CensusTable } from './census-tables.ts';
import { decodeLine } from './census.ts';
import { coverage, isMark, marks } from './marks.ts';
import { printSql, usualTables } from './print-sql.ts';

const usual = usualTables('agents');
const [checkpoints] = usual;
if (checkpoints === undefined) throw new Error('LangGraph has tables');

function sqlOf(tables: readonly CensusTable[]): string {
  return censusSchemas(tables).map(censusSql).join('\n');
}

/** What each GROUP BY begins with; positions are looked up in the SELECT they belong to, so none is allowed here. */
function groupings(sql: string): readonly string[] {
  return [...sql.matchAll(/GROUP BY (?:\w+\.)?"?(\w+)/g)].map(([, first = '']) => first);
}

describe('the statements', () => {
  test.each([
    ['the census', sqlOf(usual)],
    ['the census of a saver without history', sqlOf(usual.map((table) => ({ ...table, isShallow: true })))],
    ['forks by hand', forksSql(checkpoints)],
    ['collisions by hand', collisionsSql(checkpoints)],
  ])('%s groups by thread before anything else', (_, sql) => {
    const found = groupings(sql);
    expect(found.length).toBeGreaterThan(0);
    expect(found).toEqual(found.map(() => 'thread_id'));
    expect(found.length).toBe(sql.split(/GROUP\s+BY/i).length - 1);
  });

  test('what shards are asked holds nothing that postgres_fdw keeps at home', () => {
    const shards = sqlOf(usual).split('), marks AS')[0] ?? '';
    expect(shards).toContain('hashtextextended');
    expect(shards).not.toMatch(/->|#>|\bCASE\b|COALESCE|DISTINCT (?!FROM)|COLLATE|\bOVER\b/i);
  });

  test('they only read, make nothing in the database, and open no value of a blob or a checkpoint', () => {
    const script = printSql(usual);
    expect(script).not.toMatch(/\b(?:INSERT|UPDATE|DELETE|CREATE|TEMP|LOCK|FOR SHARE|pg_sleep)\b/);
    expect(script).toContain('REPEATABLE READ, READ ONLY');
    expect(sqlOf(usual)).not.toMatch(/\b(?:blob|checkpoint)\b[^_s]/);
  });

  test('names of schemas are quoted, in comments too, whatever they hold', () => {
    const hostile = 'a"; DROP TABLE x; --\n\u001b[31m';
    const script = printSql(usualTables(hostile));
    expect(script).toContain('FROM "a""; DROP TABLE x; --\n\u001b[31m"."checkpoints" c\n');
    for (const line of script.split('\n').filter((text) => text.startsWith('-- Schema'))) {
      expect(line).not.toContain('\u001b');
      expect(line).toMatch(/: (?:threads that|each)|for a look by hand/);
    }
  });

  test('columns of other types than text are cast, text columns keep their index', () => {
    const cast = sqlOf(usual.map((table) => ({ ...table, isText: (column) => column !== 'thread_id' })));
    expect(cast).toContain('c.thread_id::text');
    expect(cast).not.toContain('checkpoint_ns::text');
    expect(sqlOf(usual)).not.toContain('::text');
  });
});

describe('what cannot be told apart travels', () => {
  test.each([
    ['no-history', usual.map((table) => ({ ...table, isShallow: true }))],
    ['missing-table', usual.filter(({ kind }) => kind !== 'blobs')],
    ['missing-table', usual.filter(({ kind }) => kind !== 'writes')],
    [null, usual],
  ])('%s', (why, tables) => {
    expect(censusSchemas(tables).map(whyAllTravel)).toEqual([why]);
  });

  test('a schema without checkpoints is asked nothing', () => {
    expect(censusSchemas(usual.filter(({ kind }) => kind !== 'checkpoints'))).toEqual([]);
  });
});

test('every kind of finding that rows can show is covered, and only information may be missed', () => {
  for (const kind of findingKinds) {
    const how = coverage[kind];
    if (how.kind === 'elsewhere') expect(catalogue[kind].evidence).toMatch(/log|ledger|provider/);
    else expect(how.by.every(isMark)).toBe(true);
    if (how.kind === 'partly') expect(catalogue[kind]).toMatchObject({ severity: 'info', otherwise: null });
  }
});

test('every mark that the statements write is one that is explained, and every one is written by some', () => {
  const shallow = usual.map((table) => ({ ...table, isShallow: true }));
  const sql = [usual, shallow, usual.slice(0, 2)].map(sqlOf).join('\n');
  const written = [...sql.matchAll(/'([a-z]+(?:-[a-z]+)*)'(?: AS marks?\b| FROM)/g)].map(([, mark]) => mark);
  expect([...new Set(written)].sort()).toEqual(Object.keys(marks).sort());
});

test('a line of the answer is a thread with its marks, or the totals', () => {
  expect(decodeLine('s', Buffer.from('a\\tb\\\\\tsend-list lineage\t\\N\t\\N\t\\N'))).toEqual({
    kind: 'thread',
    schema: 's',
    thread: 'a\tb\\',
    marks: ['lineage', 'send-list'],
  });
  expect(decodeLine('s', Buffer.from('\\N\t\\N\t3\t4\t12'))).toEqual({
    kind: 'totals',
    schema: 's',
    threads: 3,
    namespaces: 4,
    checkpoints: 12,
  });
  expect(() => decodeLine('s', Buffer.from('a\t\t\\N\t\\N\t\\N'))).toThrow('only marked threads');
});
