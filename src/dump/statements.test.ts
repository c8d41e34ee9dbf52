import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { insertRows, NotALiteral } from './insert-values.ts';
import { readStatement, statementEnd, TokenReader } from './statements.ts';
import type { SqlDialect } from './sql-tokens.ts';

const standard: SqlDialect = { standardStrings: true };
const escaping: SqlDialect = { standardStrings: false };

describe('where a statement ends', () => {
  test.each<[string, string]>([
    ['at its semicolon', 'SELECT 1;'],
    ['not at one in a string', "SELECT ';';"],
    ['not at one in a string with a doubled quote', "SELECT 'it''s;';"],
    ['not at one after an escaped quote of an E string', "SELECT E'it\\';';"],
    ['a backslash in an ordinary string escapes nothing', "SELECT '\\';"],
    ['not at one in a quoted name', 'SELECT ";""";'],
    ['not at one in a dollar string', 'SELECT $$;$$;'],
    ['not at one in a dollar string with a tag, which may hold another', 'SELECT $a$ $b$;$b$ ;$ $a$;'],
    ['a dollar inside a name opens nothing', 'SELECT a$b$c;'],
    ['a parameter opens nothing', 'SELECT $1;'],
    ['not at one in a line comment', 'SELECT 1 -- ;\n;'],
    ['not at one in a block comment, which nests', 'SELECT /* ; /* ; */ ; */ 1;'],
    ['not at one in parentheses', 'CREATE RULE r AS ON INSERT TO t DO (SELECT 1; SELECT 2);'],
    [
      'not at one in the body of a function of SQL standard form',
      'CREATE OR REPLACE FUNCTION f() RETURNS int BEGIN ATOMIC SELECT CASE WHEN true THEN 1 END; SELECT 2; END;',
    ],
    ['a column named begin opens nothing', 'CREATE TABLE t (begin int, "case" text);'],
    ['a minus and a slash are no comments', 'SELECT 1 - 2 / 3;'],
  ])('%s', (_, sql) => {
    const bytes = Buffer.from(`${sql} SELECT 'next';`);
    expect(statementEnd(bytes, 0, standard)).toBe(Buffer.byteLength(sql));
  });

  test('a backslash escapes a quote in every string once standard_conforming_strings is off', () => {
    const bytes = Buffer.from("SELECT 'it\\';'; SELECT 2;");
    expect(statementEnd(bytes, 0, escaping)).toBe(15);
    expect(statementEnd(bytes, 0, standard)).toBe(13);
  });

  test('no beginning of a statement is taken for a whole one', () => {
    const sql = Buffer.from("INSERT INTO \"a;\" VALUES (E'x\\';', $t$;$t$, ';''') /* ; */ -- ;\n;");
    for (let length = 0; length < sql.length; length += 1) {
      expect(statementEnd(sql.subarray(0, length), 0, standard)).toBe('more');
    }
    expect(statementEnd(sql, 0, standard)).toBe(sql.length);
  });
});

describe('what a statement is', () => {
  test.each([
    [
      'COPY public.checkpoints (thread_id, "Odd ""name""") FROM stdin;',
      {
        kind: 'copy',
        table: { schema: 'public', table: 'checkpoints' },
        columns: ['thread_id', 'Odd "name"'],
        options: '',
      },
    ],
    [
      'copy "My Schema"."checkpoints" from STDIN WITH (FORMAT csv);',
      {
        kind: 'copy',
        table: { schema: 'My Schema', table: 'checkpoints' },
        columns: null,
        options: 'WITH (FORMAT csv)',
      },
    ],
    ["COPY t FROM '/tmp/file';", { kind: 'other' }],
    ['COPY (SELECT 1) TO stdout;', { kind: 'other' }],
    [
      'INSERT INTO CheckPoints (A, b) OVERRIDING SYSTEM VALUE VALUES (1, 2);',
      { kind: 'insert', table: { schema: null, table: 'checkpoints' }, columns: ['a', 'b'], valuesAt: 62 },
    ],
    ['INSERT INTO t SELECT 1;', { kind: 'other' }],
    [
      `CREATE UNLOGGED TABLE IF NOT EXISTS s.t (
        a text DEFAULT ''::text NOT NULL, "primary" numeric(10,2), c jsonb DEFAULT '{}'::jsonb,
        CONSTRAINT k PRIMARY KEY (a), CHECK (c > 1), UNIQUE (a, c)
      ) PARTITION BY HASH (a);`,
      { kind: 'create-table', table: { schema: 's', table: 't' }, columns: ['a', 'primary', 'c'] },
    ],
    ['CREATE INDEX i ON t (a);', { kind: 'other' }],
    [
      "ALTER TABLE ONLY s.t ATTACH PARTITION s.t_1 FOR VALUES FROM ('a') TO ('b');",
      {
        kind: 'attach-partition',
        parent: { schema: 's', table: 't' },
        partition: { schema: 's', table: 't_1' },
      },
    ],
    ['ALTER TABLE s.t OWNER TO lg;', { kind: 'other' }],
    ["SET client_encoding = 'UTF8';", { kind: 'setting', name: 'client_encoding', value: 'UTF8' }],
    [
      'SET standard_conforming_strings TO off;',
      { kind: 'setting', name: 'standard_conforming_strings', value: 'off' },
    ],
    ['SET search_path = agents, pg_catalog;', { kind: 'setting', name: 'search_path', value: 'agents' }],
    [
      "SELECT pg_catalog.set_config('search_path', '', false);",
      { kind: 'setting', name: 'search_path', value: '' },
    ],
    ['SELECT 1;', { kind: 'other' }],
    [';', { kind: 'other' }],
  ])('%s', (sql, expected) => {
    expect(readStatement(Buffer.from(sql), standard)).toEqual(expected);
  });
});

describe('the values of an INSERT', () => {
  function rowsOf(values: string, dialect = standard): (string | null)[][] {
    const reader = new TokenReader(Buffer.from(`${values};`), dialect);
    return [...insertRows(reader)].map((row) => row.map((value) => value?.toString() ?? null));
  }

  test.each<[string, string, (string | null)[][]]>([
    ['strings, with doubled quotes', "('it''s', '')", [["it's", '']]],
    ['NULL is not the text NULL', "(NULL, 'NULL', null)", [[null, 'NULL', null]]],
    [
      'numbers with signs and exponents',
      '(-3, +4, 1.5, 1e+20, 2e-7)',
      [['-3', '+4', '1.5', '1e+20', '2e-7']],
    ],
    ['truth values in the form of COPY', '(true, FALSE)', [['t', 'f']]],
    ['several rows', "('a'), ('b'),\n('c')", [['a'], ['b'], ['c']]],
    [
      'casts, which change nothing',
      "('{}'::jsonb, 1::numeric(10,2)[], 'x'::pg_catalog.text)",
      [['{}', '1', 'x']],
    ],
    ['E strings', "(E'a\\nb\\\\c\\'d\\x41\\101\\u00e4\\q''')", [["a\nb\\c'dAAäq'"]]],
    ['dollar strings', '($$a$b$$, $t$c$t$)', [['a$b', 'c']]],
    ['text that looks like SQL', "('); DROP TABLE x; --')", [['); DROP TABLE x; --']]],
  ])('%s', (_, values, expected) => {
    expect(rowsOf(values)).toEqual(expected);
  });

  test('backslashes escape in ordinary strings once standard_conforming_strings is off', () => {
    expect(rowsOf("('a\\\\b', '\\x41')", escaping)).toEqual([['a\\b', 'A']]);
    expect(rowsOf("('a\\\\b', '\\x41')", standard)).toEqual([['a\\\\b', '\\x41']]);
  });

  test('something computed is refused, not guessed', () => {
    expect(() => rowsOf('(now())')).toThrow(NotALiteral);
    expect(() => rowsOf("('a' || 'b')")).toThrow(NotALiteral);
    expect(() => rowsOf('(DEFAULT)')).toThrow('DEFAULT is not a literal');
  });

  test('any text survives as an ordinary literal and as an E string', () => {
    const text = fc.string({ unit: fc.constantFrom('a', "'", '\\', 'n', '1', 'ä', ';', '$', '\n') });
    fc.assert(
      fc.property(text, (value) => {
        const doubled = value.replaceAll("'", "''");
        const escaped = doubled.replaceAll('\\', '\\\\');
        expect(rowsOf(`('${doubled}', E'${escaped}')`)).toEqual([[value, value]]);
        expect(rowsOf(`('${escaped}')`, escaping)).toEqual([[value]]);
      }),
    );
  });
});
