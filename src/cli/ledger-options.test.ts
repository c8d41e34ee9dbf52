import { describe, expect, test } from 'vitest';
import yargs from 'yargs';
import { defaultLimits } from '#analysis/model/ledger.ts';
import { checkLedger, ledgersRequest, withLedgerOptions } from './ledger-options.ts';

/** What the options ask for; *fails* with what yargs would show. */
function asked(...words: readonly string[]): ReturnType<typeof ledgersRequest> {
  const parser = withLedgerOptions(yargs().command('$0 [source]', 'test')).exitProcess(false).fail(false);
  return ledgersRequest(parser.parseSync([...words]));
}

describe('what is known beside the rows', () => {
  test('is nothing where nothing is asked, whatever the thresholds', () => {
    expect(asked('rows.sql')).toBeNull();
    expect(asked('rows.sql', '--vanish-after', '5m', '--as-of', '2026-11-30')).toBeNull();
  });

  test('is a file under its usual names and thresholds', () => {
    expect(asked('rows.sql', '--ledger', 'runs.csv')).toMatchObject({
      ledger: { kind: 'file', file: 'runs.csv', map: { given: new Set() } },
      ...{ active: null, asOfMs: null },
      questions: { limits: defaultLimits, breakpoints: null, minAgeMs: null },
    });
  });

  test('is a table under the names of the operator', () => {
    const request = asked(
      ...['postgres://db/shop', '--ledger', 'table:app."My.Runs"', '--ledger-map', 'run=id,thread=t'],
      ...[
        '--vanish-after',
        '90s',
        '--stall-after',
        '1h',
        '--attempt-cap',
        '3',
        '--as-of',
        '2026-11-30T10:00Z',
      ],
    );
    expect(request).toMatchObject({
      ledger: {
        kind: 'table',
        table: { schema: 'app', name: 'My.Runs' },
        map: { given: new Set(['run', 'thread']) },
      },
      asOfMs: Date.parse('2026-11-30T10:00Z'),
      questions: { limits: { vanishAfterMs: 90_000, stallAfterMs: 3_600_000, attemptCap: 3 } },
    });
  });

  test('tells no breakpoints from breakpoints that nobody named', () => {
    expect(asked('x', '--breakpoints=')?.questions.breakpoints).toEqual([]);
    expect(asked('x', '--breakpoints', 'a, b', '--breakpoints', '007')?.questions.breakpoints).toEqual([
      'a',
      'b',
      '007',
    ]);
    expect(asked('x', '--min-age', '15m')?.questions).toMatchObject({ breakpoints: null, minAgeMs: 900_000 });
  });

  test.each([
    [['--ledger', 'table:runs'], 'is a table of a live database'],
    [['--ledger', '-', '--active', '-'], 'Only one of source'],
    [['--ledger', 'x', '--ledger-status', 'a=b'], 'is no word=meaning'],
    [['--ledger', 'table:a.b.c'], 'must name a table'],
    [['--vanish-after', 'soon'], '--vanish-after must be such as'],
    [['--min-age', '1y'], '--min-age must be such as'],
    [['--ledger-map', 'run=id'], 'ledger'],
  ])('%j is refused', (words, message) => {
    expect(() => asked('rows.sql', ...words)).toThrow(message);
  });

  test('comes from standard input once, where the source does not', () => {
    const file = { kind: 'file', file: '-' } as const;
    expect(checkLedger({ source: '', ledger: file })).toMatch('Only one of');
    expect(checkLedger({ source: 'rows.sql', effects: '-', active: '-' })).toMatch('Only one of');
    expect(checkLedger({ source: 'rows.sql', ledger: file })).toBe(true);
  });
});
